"""Passwords and keys in addresses and messages: nothing that is printed or written holds them."""

from __future__ import annotations

import os
from urllib.parse import quote, quote_plus, unquote

HIDDEN = "***"
_SECRETS = (
    "MLFLOW_TRACKING_PASSWORD",
    "MLFLOW_TRACKING_TOKEN",
    "PREFECT_API_AUTH_STRING",
    "PREFECT_API_KEY",
    "PREFECT_SERVER_API_AUTH_STRING",
)
_ADDRESSES = (
    "MLFLOW_TRACKING_URI",
    "MLFLOW_REGISTRY_URI",
    "PREFECT_API_URL",
    "PREFECT_API_DATABASE_CONNECTION_URL",
    "PREFECT_SERVER_DATABASE_CONNECTION_URL",
)


def masked(address: str) -> str:
    """Return an address as it may be shown: without the password and without the query.

    Examples
    --------
    >>> masked("postgresql://ada:secret@db.example.org:5432/mlflow?sslmode=require")
    'postgresql://ada:***@db.example.org:5432/mlflow'
    """
    scheme, separator, rest = address.partition("://")
    if not separator:
        return address
    credentials, at, place = rest.rpartition("@")
    user, colon, _ = credentials.partition(":")
    place = place.partition("?")[0]
    return f"{scheme}://{user}{colon and ':' + HIDDEN}{at}{place}"


def without_secrets(text: str) -> str:
    """Return a message of another program in which each secret of the environment is hidden."""
    for address in filter(None, map(os.environ.get, _ADDRESSES)):
        text = text.replace(address, masked(address))
    for secret in sorted(_secrets(), key=len, reverse=True):
        text = text.replace(secret, HIDDEN)
    return text


def _secrets() -> set[str]:
    """Return the secrets as they are, and as an address writes them."""
    named = {os.environ.get(name, "") for name in _SECRETS}
    named |= {_password(os.environ.get(name, "")) for name in _ADDRESSES}
    named |= {secret.partition(":")[2] for secret in named}
    return {form for one in named if one for form in (one, quote(one, safe=""), quote_plus(one))}


def _password(address: str) -> str:
    credentials = address.partition("://")[2].rpartition("@")[0]
    return unquote(credentials.partition(":")[2])
