"""Names of data sets as folders and registries can take them."""

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.project.identifier import LONGEST, identifier


@pytest.mark.parametrize("name", ["glass0", "orders 2024", "größe", "a.b-c_d+e", "x=1,y"])
def test_ordinary_names_stay(name):
    assert identifier(name) == name


@given(st.text(max_size=300))
def test_any_name_is_safe_short_and_stays_itself(name):
    found = identifier(name)
    assert 0 < len(quote(found)) <= LONGEST
    assert found.isprintable()
    assert not set(found) & set("/\\:'\"`%*?<>|")
    assert not found.startswith(".")
    assert identifier(found) == found


@given(st.lists(st.text("ab/:'.", min_size=1, max_size=4), min_size=2, max_size=2, unique=True))
def test_two_names_do_not_become_one(names):
    assert identifier(names[0]) != identifier(names[1])


def test_long_names_that_differ_at_the_end_differ():
    assert identifier("n" * 245 + "a") != identifier("n" * 245 + "b")
