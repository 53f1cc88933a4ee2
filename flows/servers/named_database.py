"""The database that Prefect's own variables name for the project's server, instead of SQLite."""

from __future__ import annotations

import asyncio
import os

from flows.servers.server_process import ServerError
from tasks.project.secrets import masked, without_secrets

VARIABLES = ("PREFECT_SERVER_DATABASE_CONNECTION_URL", "PREFECT_API_DATABASE_CONNECTION_URL")
"""Two names of one setting; the first counts more."""

_SECONDS_TO_ANSWER = 10.0


def database_variable() -> str | None:
    """Return the variable that names a database, if one does."""
    return next((name for name in VARIABLES if os.environ.get(name)), None)


def named_database() -> str:
    """Return the address of the database that is named; empty if none is."""
    variable = database_variable()
    return os.environ[variable] if variable else ""


def check_named_database() -> None:
    """Connect to the database that is named, before a server is started on it.

    Raises
    ------
    ServerError
        With its address, without the password, and what is wrong.
    """
    address, variable = named_database(), database_variable()
    if not address.startswith("postgresql"):
        return
    if not address.startswith("postgresql+asyncpg://"):
        raise ServerError(
            f"{variable} is {masked(address)}; Prefect takes addresses that begin with "
            "postgresql+asyncpg://"
        )
    import asyncpg

    plain = address.replace("postgresql+asyncpg://", "postgresql://", 1)
    try:
        asyncio.run(_connect(plain))
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, ValueError) as error:
        reason = without_secrets(" ".join(str(error).split())) or "it does not answer"
        raise ServerError(
            f"the database {masked(address)}, which {variable} names, cannot be used: {reason}"
        ) from None


async def _connect(address: str) -> None:
    import asyncpg

    connection = await asyncpg.connect(address, timeout=_SECONDS_TO_ANSWER)
    await connection.close()
