"""The Prefect server of a team: named by Prefect's own variables; asked, never started here."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from flows.servers.server_process import ServerError
from tasks.project.secrets import masked, without_secrets

NAMED_BY = "PREFECT_API_URL"
_SECONDS_TO_ANSWER = 10.0
_DRAIN_SECONDS = 5


def named_prefect_api() -> str | None:
    """Return `PREFECT_API_URL` if it was not set by an earlier start of the project's server."""
    named = os.environ.get(NAMED_BY, "").rstrip("/")
    if not named or os.environ.get("PREFECT_HOME", "").endswith("/.smoothrank/prefect"):
        return None
    return named


def prefect_page(api: str) -> str:
    """Return the address of a server for a browser."""
    return api.removesuffix("/api")


def check_prefect_api(api: str) -> None:
    """Ask a server whether it answers and accepts the credentials.

    Prefect's own client asks, so that all its settings count: keys, certificates, proxies.

    Raises
    ------
    ServerError
        With its address and what to do.
    """
    if "@" in api:
        raise ServerError(
            f"{NAMED_BY} holds a user or password ({masked(api)}), which Prefect would write to "
            "its logs; put them into PREFECT_API_AUTH_STRING, as user:password"
        )
    if "prefect" in sys.modules and not _is_set(api):
        refresh_prefect_settings()
    import httpx
    from prefect.client.orchestration import get_client
    from prefect.settings import PREFECT_CLIENT_MAX_RETRIES, temporary_settings

    timeout = {"timeout": _SECONDS_TO_ANSWER}
    try:
        with (
            temporary_settings({PREFECT_CLIENT_MAX_RETRIES: 0}),
            get_client(timeout, sync_client=True) as client,
        ):
            client.read_flow_runs(limit=1)
    except httpx.HTTPStatusError as error:
        raise ServerError(_refusal(api, error.response.status_code)) from None
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError):
        raise ServerError(
            f"no Prefect server answers at {api}, which {NAMED_BY} names; start it, "
            f"or unset {NAMED_BY} to have one started here"
        ) from None


@contextmanager
def plain_prefect_faults() -> Iterator[None]:
    """Raise what a team's server fails at in the middle of a run as one line.

    Prefect's client has tried for a minute by then.
    """
    api = named_prefect_api()
    if not api:
        yield
        return
    import httpx

    try:
        yield
    except httpx.HTTPError as error:
        reason = without_secrets(" ".join(str(error).split()))[:300]
        raise ServerError(
            f"the Prefect server at {api} failed in the middle of the work: {reason}; "
            "finished fits are kept, and the same command goes on with them"
        ) from None


def _refusal(api: str, status: int) -> str:
    if status not in (401, 403):
        return (
            f"{api}, which {NAMED_BY} names, answers with status {status} and not as a "
            "Prefect server does; correct the address (it ends in /api), or see the log of the "
            "server"
        )
    given = [name for name in ("PREFECT_API_AUTH_STRING", "PREFECT_API_KEY") if name in os.environ]
    if not given:
        return (
            f"the Prefect server at {api} asks for credentials; set "
            "PREFECT_API_AUTH_STRING to its auth string (user:password), or PREFECT_API_KEY for "
            "Prefect Cloud"
        )
    return (
        f"the Prefect server at {api} does not accept {given[0]}; set it to what its "
        "administrator gave you"
    )


def _is_set(api: str) -> bool:
    """Return whether Prefect has read this address, and the credentials, from the environment."""
    from prefect.settings import PREFECT_API_AUTH_STRING, PREFECT_API_KEY, PREFECT_API_URL

    read = PREFECT_API_URL.value(), PREFECT_API_AUTH_STRING.value(), PREFECT_API_KEY.value()
    named = (os.environ.get(name) for name in ("PREFECT_API_AUTH_STRING", "PREFECT_API_KEY"))
    return read == (api, *named)


def refresh_prefect_settings() -> None:
    """Have Prefect read the environment again.

    Task records travel as events; the connection to the server used until now is closed, or they
    would go there.
    """
    from prefect.context import refresh_global_settings_context
    from prefect.events.worker import EventsWorker

    EventsWorker.drain_all(timeout=_DRAIN_SECONDS, at_exit=False)
    refresh_global_settings_context()
