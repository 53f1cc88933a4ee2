"""Imports between folders point down, and the picture of them is that of the present code."""

from __future__ import annotations

from scripts.import_graph import LAYERS, PICTURE, draw, folder_graph, upward


def test_no_import_points_up_so_there_is_no_cycle():
    graph = folder_graph()
    assert set(graph) == set(LAYERS)
    assert upward(graph) == []


def test_an_import_that_points_up_is_named():
    graph = folder_graph()
    graph["smoothrank/losses"].add("smoothrank/solvers")
    assert upward(graph) == ["smoothrank/losses imports smoothrank/solvers"]


def test_the_picture_shows_the_present_imports(tmp_path):
    draw(folder_graph(), tmp_path / "graph.svg")
    assert PICTURE.read_text() == (tmp_path / "graph.svg").read_text()
