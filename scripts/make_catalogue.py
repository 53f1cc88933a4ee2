"""Regenerate the catalogue from its sources, after data sets were added or their form changed.

Each line of the present `catalog.csv` needs a name and a source; all other fields are computed.
Set SMOOTHRANK_DATA_MIRROR to the folder with the UCI files, or be online.
"""

from __future__ import annotations

import csv
from pathlib import Path

from sklearn.model_selection import train_test_split

from smoothrank.datasets.catalogue import catalogue
from smoothrank.datasets.catalogue.fetch import keel_form, sha256, source_bytes
from smoothrank.datasets.keel.reader import parse_keel
from smoothrank.tables.one_hot import Encoder, drop_missing_rows


def facts(name: str, source: str) -> dict[str, str | int]:
    """Compute what the catalogue states about one data set."""
    fetched = source_bytes(name, source)
    text = keel_form(name, source, fetched)
    whole = parse_keel(text.encode(), source=source)
    used = drop_missing_rows(whole)
    smaller, larger = sorted([(used.y == 1).sum(), (used.y == -1).sum()])
    train, test = train_test_split(used.y, stratify=used.y, test_size=0.25, random_state=10)
    return {
        "name": name,
        "source": source,
        "source_sha256": sha256(fetched),
        "sha256": sha256(text.encode()),
        "rows": len(whole.y),
        "features": Encoder().fit_transform(used.X).shape[1],
        "n_train": len(train),
        "n_test": len(test),
        "imbalance": f"{smaller / larger:.4f}",
    }


def main() -> None:
    """Rewrite `catalog.csv` in place."""
    path = Path(catalogue.__file__).with_name("catalogue.csv")
    with path.open(encoding="utf-8", newline="") as file:
        rows = [facts(row["name"], row["source"]) for row in csv.DictReader(file)]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
