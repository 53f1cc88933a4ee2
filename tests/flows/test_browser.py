"""What a person sees in the MLflow pages of a retraining, looked at in headless Chromium.

Pictures of the pages are left in the folder that `SMOOTHRANK_SCREENSHOTS` names, if it is set.
"""

from __future__ import annotations

import json
import os
import re
import socket
import struct
import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tasks.tracking.mlflow_runs import mlflow_client
from tests.conftest import use_project
from tests.support.browser import chromium

pytestmark = [pytest.mark.services, pytest.mark.long]

SMOOTHRANK = str(Path(sys.executable).parent / "smoothrank")
PARAMS = """
training: {method: smooth}
selection: {folds: 2, repeats: 1, scales: [standard]}
"""
FIGURES = ("1_roc", "2_validation_against_C", "3_auc_by_iteration", "4_prototypes", "5_projection")
LIMIT_MS = 120_000
# A picture on the screen that was not there before: its address, width and height.
NEW_PICTURE = """
seen => {
  const is_new = image => image.checkVisibility() && image.complete && image.naturalWidth > 300
    && !seen.includes(image.src);
  const found = [...document.images].find(is_new);
  return found && [found.src, [found.naturalWidth, found.naturalHeight]];
}
"""
METRICS = ".ReactVirtualized__Grid"
# The pages open in their model training mode, without the assistant beside them.
SETTINGS = """
localStorage.setItem('mlflow.workflowType_v1', '"machine_learning"');
localStorage.setItem('mlflow.assistant.fab.autoOpenedOnFirstLoad_v1', 'true');
localStorage.setItem('mlflow.assistant.panelOpen_v1', 'false');
"""


def command(*arguments):
    done = subprocess.run(
        [SMOOTHRANK, *arguments, "--json"], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def context():
    with chromium() as browser:
        context = browser.new_context(viewport={"width": 1500, "height": 1150})
        context.set_default_timeout(LIMIT_MS)
        context.add_init_script(SETTINGS)
        yield context


@contextmanager
def port_4200_taken():
    """Keep Prefect's usual port from being had; another server may have it already."""
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # connections may linger
        with suppress(OSError):
            taken.bind(("127.0.0.1", 4200))
            taken.listen()
        yield


@pytest.fixture(scope="module")
def retrained(context, tmp_path_factory):
    """Retrain once; give what came of it, the addresses, and the runs as MLflow has them."""
    from flows.servers.project_servers import stop_servers

    del context  # without a browser there is nothing to retrain for
    home = tmp_path_factory.mktemp("browser")
    (home / "params.yaml").write_text(PARAMS)
    with pytest.MonkeyPatch.context() as patch, port_4200_taken():
        use_project(patch, home)
        outcome = command("retrain", "glass0")
        addresses = command("ui", "glass0")
        client = mlflow_client()
        parent = client.get_run(outcome["mlflow_run_id"])
        wanted = f"tags.`mlflow.parentRunId` = '{parent.info.run_id}'"
        children = client.search_runs([parent.info.experiment_id], wanted)
        yield addresses, parent, sorted(children, key=lambda run: float(run.data.params["C"]))
        stop_servers()


@pytest.fixture
def open_page(context):
    """Open pages; afterwards nothing may have been asked of another machine."""
    hosts = set()
    pages = []

    def open_at(address):
        page = context.new_page()
        pages.append(page)
        page.on("request", lambda request: hosts.add(urlsplit(request.url).hostname))
        page.goto(address)
        return page

    yield open_at
    for page in pages:
        page.close()
    assert hosts - {None} == {"127.0.0.1"}


def picture(page, name):
    folder = os.environ.get("SMOOTHRANK_SCREENSHOTS")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}.png")


def run_page(addresses, parent):
    info = parent.info
    return f"{addresses['mlflow']}/#/experiments/{info.experiment_id}/runs/{info.run_id}"


def test_runs_table_shows_the_parent_and_on_demand_its_children(retrained, open_page):
    addresses, parent, children = retrained
    page = open_page(f"{addresses['mlflow']}/#/experiments/{parent.info.experiment_id}/runs")
    page.get_by_text(f"{len(children) + 1} matching runs").wait_for()
    row = page.locator(".ag-row").filter(has=page.get_by_role("link", name=parent.info.run_name))
    row.wait_for()
    assert page.get_by_role("heading", name="Runs").is_visible()
    page.get_by_text("glass0 (").first.wait_for()
    row.locator("button").first.click()
    page.get_by_role("link", name="C=1e-06", exact=True).wait_for()
    shown = page.get_by_role("link", name=re.compile(r"^C="))
    assert set(shown.all_inner_texts()) == {run.info.run_name for run in children}
    picture(page, "mlflow_children")


def test_compare_page_shows_thirteen_values_and_their_auc(retrained, open_page):
    addresses, _, children = retrained
    page = open_page(addresses["values"])
    page.set_viewport_size({"width": 1500, "height": 1420})
    page.get_by_role("heading", name="Comparing 13 Runs from 1 Experiment").wait_for()
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    names = [run.info.run_name for run in children]
    details = page.get_by_role("row").filter(has_text="Run Name:")
    assert details.locator("td").all_inner_texts() == names
    page.wait_for_function("document.querySelectorAll('.axis-title').length >= 2")
    axes = page.locator(".js-plotly-plot .axis-title").all_text_contents()
    assert "cv_auc_mean" in axes  # without anything being chosen
    show_only(page, 0, {"log10_C"})
    show_only(page, 1, {"cv_auc_mean"})
    page.wait_for_function("document.querySelectorAll('.axis-title').length == 2")
    axes = page.locator(".js-plotly-plot .axis-title").all_text_contents()
    assert set(axes) == {"log10_C", "cv_auc_mean"}
    page.get_by_role("button", name="Parameters").click()  # folds them away
    shown, printed = metric_row(page, "cv_auc_mean")
    assert shown >= 5
    found = [run.data.metrics["cv_auc_mean"] for run in children[:shown]]
    assert printed == pytest.approx(found, abs=6e-4)
    picture(page, "mlflow_compare")


def show_only(page, place, wanted):
    """Choose in one of the two lists beside the plot."""
    box = page.get_by_role("combobox").nth(place)
    box.click()
    options = page.locator(".du-bois-light-select-item-option:visible")
    options.first.wait_for()
    for option in options.all():
        if (option.get_attribute("aria-selected") == "true") != (option.inner_text() in wanted):
            option.click()
    page.keyboard.press("Escape")


def metric_row(page, name):
    """Read a row of the table of metrics, as far as it is on the screen."""
    names, cells = (grid.inner_text().split() for grid in page.locator(METRICS).all())
    shown = len(cells) // len(names)
    begin = names.index(name) * shown
    return shown, [float(text) for text in cells[begin : begin + shown]]


def test_runs_table_opens_for_a_stranger_with_the_columns_that_matter(retrained, context):
    """In a browser that was never here: model training, parents only, five columns."""
    addresses, parent, _ = retrained
    stranger = context.browser.new_context(viewport={"width": 1500, "height": 800})
    stranger.set_default_timeout(LIMIT_MS)
    page = stranger.new_page()
    page.goto(addresses["runs"])
    page.get_by_role("link", name=parent.info.run_name).wait_for()
    heads = page.get_by_role("columnheader")
    for name in ("test_auc", "cv_auc_mean", "n_prototypes", "C", "chosen_scale"):
        heads.filter(has_text=re.compile(f"^{name}$")).first.wait_for()
    page.get_by_role("link", name="Models", exact=True).first.wait_for()
    assert page.get_by_role("link", name="Judges").count() == 0  # as among language models
    page.get_by_text("1 matching run").wait_for()
    page.get_by_text(f"{parent.data.metrics['test_auc']:.6f}"[:7]).first.wait_for()
    picture(page, "mlflow_runs")
    stranger.close()


def test_figures_of_the_parent_are_there_to_look_at(retrained, open_page):
    addresses, parent, _ = retrained
    page = open_page(f"{run_page(addresses, parent)}/artifacts/figures/1_roc.png")
    seen: list[str] = []
    for figure in FIGURES:
        page.get_by_text(f"{figure}.png", exact=True).first.click()
        page.get_by_text(f"figures/{figure}.png", exact=True).first.wait_for()
        source, size = page.wait_for_function(NEW_PICTURE, arg=seen).json_value()
        seen.append(source)
        stored = Path(urlsplit(parent.info.artifact_uri).path) / "figures" / f"{figure}.png"
        assert tuple(size) == struct.unpack(">II", stored.read_bytes()[16:24])
        picture(page, f"mlflow_{figure}")


def test_prototype_table_is_shown_heaviest_first(retrained, open_page):
    addresses, parent, _ = retrained
    page = open_page(f"{run_page(addresses, parent)}/artifacts/prototypes.csv")
    page.get_by_text("Previewing the first").wait_for()
    header = page.get_by_role("columnheader").all_inner_texts()
    assert [text.strip() for text in header[:3]] == ["prototype", "weight", "RI"]
    rows = page.locator("tbody tr").filter(has_text="prototype_")
    weights = [float(row.locator("td").nth(1).inner_text()) for row in rows.all()]
    assert len(weights) == parent.data.metrics["n_prototypes"]
    assert [abs(w) for w in weights] == sorted((abs(w) for w in weights), reverse=True)
    picture(page, "mlflow_prototypes")


def test_parent_shows_its_result_and_the_registered_model(retrained, open_page):
    addresses, parent, _ = retrained
    page = open_page(run_page(addresses, parent))
    page.get_by_text("About this run").wait_for()
    page.get_by_text("Finished").first.wait_for()
    page.get_by_role("link", name="smoothrank-glass0").first.wait_for()
    page.get_by_text("test_auc", exact=True).first.wait_for()
    value = f"{parent.data.metrics['test_auc']:.3f}"
    page.get_by_text(re.compile(re.escape(value[:-1]))).first.wait_for()
    picture(page, "mlflow_run")


def test_page_of_the_model_names_its_version_and_its_result(retrained, open_page):
    addresses, parent, _ = retrained
    (model,) = parent.outputs.model_outputs
    experiment = f"{addresses['mlflow']}/#/experiments/{parent.info.experiment_id}"
    page = open_page(f"{experiment}/models/{model.model_id}")
    page.get_by_text("Ready", exact=True).first.wait_for()
    page.get_by_role("link", name=re.compile("smoothrank-glass0")).first.wait_for()
    page.get_by_text("test_auc", exact=True).first.wait_for()
    assert page.get_by_text("Not registered").count() == 0
    picture(page, "mlflow_model")


def test_prefect_page_on_another_port_shows_the_projects_own_runs(retrained, open_page):
    addresses, _, _ = retrained
    assert urlsplit(addresses["prefect"]).port != 4200
    page = open_page(f"{addresses['prefect']}/runs")
    page.get_by_text("smooth on glass0").first.wait_for()
    assert page.get_by_text("Can't connect").count() == 0
    picture(page, "prefect_runs")
