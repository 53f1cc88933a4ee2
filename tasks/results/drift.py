"""How far rows have moved from those that a model was trained on."""

from __future__ import annotations

from dataclasses import dataclass

LIMIT = 0.2
"""A population stability index above this is considered a large shift."""

_MOST_NAMES = 5


@dataclass(frozen=True)
class Drift:
    """How far each column has moved from the training rows.

    Parameters
    ----------
    psi : dict of str to float
        The population stability index of each column, the largest first.
    moved : tuple of str
        The columns above 0.2 for which chance alone is not an explanation.
    """

    psi: dict[str, float]
    moved: tuple[str, ...]

    @property
    def largest(self) -> float:
        """The largest index of all columns."""
        return max(self.psi.values(), default=0.0)

    def line(self, against: str = "the training rows") -> str | None:
        """Say in a line which columns have moved, if any."""
        if not self.moved:
            return None
        shown = ", ".join(f"{name} {self.psi[name]:.2f}" for name in self.moved[:_MOST_NAMES])
        more = len(self.moved) - _MOST_NAMES
        rest = f" and {more} more columns" if more > 0 else ""
        return f"drift: {shown}{rest} (above {LIMIT:g}) against {against}"

    def to_dict(self) -> dict[str, object]:
        """Return the drift as plain values, ready for JSON."""
        return {"limit": LIMIT, "largest": self.largest, "moved": list(self.moved), "psi": self.psi}

    def to_csv(self) -> str:
        """Return a line for each column: its name, index, and whether it has moved."""
        import pandas as pd

        rows = [(name, index, name in self.moved) for name, index in self.psi.items()]
        return pd.DataFrame(rows, columns=["column", "psi", "moved"]).to_csv(index=False)
