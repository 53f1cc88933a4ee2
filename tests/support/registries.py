"""Registries that tests add to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from smoothrank.registry import Registry


@contextmanager
def restored(*registries: Registry[Any]) -> Iterator[None]:
    """Forget at the end what was added meanwhile."""
    before = [registry.names() for registry in registries]
    try:
        yield
    finally:
        for registry, names in zip(registries, before, strict=True):
            for name in registry.names():
                if name not in names:
                    registry.remove(name)
