"""The latest results are remembered, and no others."""

from smoothrank.solvers.memo import Memo, fingerprint


def test_the_latest_are_remembered():
    made: list[bytes] = []
    memo: Memo[int] = Memo(2)

    def ask(name):
        def make():
            made.append(name)
            return len(made)

        return memo.get_or_make((name,), make)

    assert [ask(name) for name in (b"a", b"b", b"a", b"c", b"a", b"b")] == [1, 2, 1, 3, 1, 4]
    assert made == [b"a", b"b", b"c", b"b"]


def test_parts_are_told_apart():
    assert fingerprint(b"ab", b"c") != fingerprint(b"a", b"bc")
