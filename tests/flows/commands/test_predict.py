"""`smoothrank predict`: columns added to a user's file, or one line about what is wrong."""

import json
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from flows.commands.cli import app
from smoothrank import SmoothRanking, SmoothRankingPrototype, TabularModel
from smoothrank.datasets import load_file
from smoothrank.errors import SmoothrankError
from smoothrank.persistence.model_file import load_tabular_model, save_model
from smoothrank.tables.encoder import TableEncoder
from smoothrank.tables.one_hot import Encoder
from smoothrank.tables.profile import profile_of

HEADER = "id;age;city;income;buys"
ADDED = ("score", "probability", "class", "note")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A folder with a training file, a model of it, and a file of new rows."""
    folder = tmp_path_factory.mktemp("predict")
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "age": rng.integers(20, 80, 70),
            "city": rng.choice(["Łódź", "Bergen", "Ghent"], 70),
            "income": rng.lognormal(8, 1, 70).round(2),
        }
    )
    frame["buys"] = np.where((frame["age"] > 50) ^ (frame["city"] == "Ghent"), "yes", "no")
    frame.loc[3, "income"] = np.nan
    frame.to_csv(folder / "train.csv", index=False)
    data = load_file(folder / "train.csv", target="buys", positive="yes")
    encoder = Encoder(missing="impute")
    estimator = SmoothRankingPrototype(solver="highs", scale="standard", max_prototypes=3)
    classifier = estimator.fit(encoder.fit_transform(data.X), data.y)
    profile = profile_of(data.X)
    model = TabularModel(encoder, classifier, "buys", "no", "yes", profile=profile)
    save_model(model, folder / "model")
    new = f"{HEADER}\n007;30;Ghent;1.10;yes\n008;61;Łódź;;no\n009;22;Bergen;99;?\n"
    (folder / "new.csv").write_text(new, encoding="utf-8")
    return folder


@pytest.fixture
def model(project):
    return load_tabular_model(project / "model")


@pytest.fixture
def run(project, tmp_path, monkeypatch):
    """Run the command in the project's folder; give its result and the path of its output."""
    monkeypatch.chdir(project)

    def invoke(file, out="out.csv", *options):
        done = CliRunner().invoke(
            app, ["predict", "model", str(file), "-o", str(tmp_path / out), *options]
        )
        return done, tmp_path / out

    return invoke


def refused(done):
    assert isinstance(done.exception, SmoothrankError), done.output
    assert "\n" not in str(done.exception)
    return str(done.exception)


def new_rows():
    return pd.DataFrame(
        {"age": [30, 61, 22], "city": ["Ghent", "Łódź", "Bergen"], "income": [1.1, np.nan, 99.0]}
    )


def test_columns_are_added_and_the_rest_stays_as_written(run, model):
    done, out = run("new.csv")
    assert done.exit_code == 0, done.output
    found = pd.read_csv(out, dtype=str)
    assert list(found.columns) == [*HEADER.split(";"), "score", "probability", "class", "note"]
    assert list(found["id"]) == ["007", "008", "009"]
    assert found["income"][0] == "1.10"
    assert found["note"].fillna("").tolist() == ["", "income is missing", ""]
    expected = model.scored(new_rows())
    assert np.array_equal(found["score"].astype(float), expected["score"])
    assert np.array_equal(found["probability"].astype(float), expected["probability"])
    assert list(found["class"]) == list(expected["class"])
    assert "3 rows scored" in done.stdout
    assert str(out) in done.stdout


def test_explain_adds_what_sums_to_the_score(run, model):
    done, out = run("new.csv", "out.csv", "--explain")
    assert done.exit_code == 0, done.output
    found = pd.read_csv(out)
    parts = [f"prototype_{n}" for n in range(1, len(model.prototype_table()) + 1)]
    assert list(found.columns)[-len(parts) - 1 :] == [*parts, "intercept"]
    total = found[[*parts, "intercept"]].sum(axis="columns")
    assert total.to_numpy() == pytest.approx(found["score"].to_numpy(), abs=1e-12)


def test_explain_gives_reasons_in_words_where_there_are_bumps(project, run, tmp_path):
    data = load_file(project / "train.csv", target="buys", positive="yes")
    encoder = TableEncoder().fit(data.X)
    bumps = SmoothRanking(2).fit(encoder.transform(data.X), data.y)
    save_model(TabularModel(encoder, bumps, "buys", "no", "yes"), tmp_path / "bumps")
    out = tmp_path / "because.csv"
    asked = ["predict", str(tmp_path / "bumps"), "new.csv", "-o", str(out), "--explain"]
    done = CliRunner().invoke(app, asked)
    assert done.exit_code == 0, done.output
    found = pd.read_csv(out)
    parts = ["part_age", "part_income", "part_city", "typical"]
    assert list(found.columns)[-8:] == [
        *("prototype_1", "prototype_2", "intercept"),
        *(*parts, "because"),
    ]
    assert found[parts].sum(axis="columns").to_numpy() == pytest.approx(found["score"].to_numpy())
    assert "city is Ghent (" in found["because"][0]
    assert re.search(r"(closer to|farther from) prototype \d \(.*\): [+-]\d", found["because"][0])
    largest = max(("age", "income", "city"), key=lambda name: abs(found[f"part_{name}"][0]))
    assert f"above all {largest} " in found["because"][0]


def test_json_is_all_that_is_printed(run):
    done, out = run("new.csv", "out.csv", "--json")
    facts = json.loads(done.stdout)
    assert (facts["model"], facts["file"], facts["out"]) == ("model", "new.csv", str(out))
    assert facts["rows"] == 3 == sum(facts["classes"].values())
    assert list(facts["classes"]) == ["yes", "no"]
    assert dict(pd.read_csv(out)["class"].value_counts()) == {
        label: count for label, count in facts["classes"].items() if count
    }
    assert done.stderr == ""


def test_rows_that_drifted_are_said_in_a_line(run, project, tmp_path):
    rows = pd.read_csv(project / "train.csv")
    done, _ = run("train.csv", "out.csv", "--prefix", "p_")
    assert done.stderr == ""
    rows["income"] *= 100
    rows.to_csv(tmp_path / "rich.csv", index=False)
    done, _ = run(tmp_path / "rich.csv", "out.csv", "--prefix", "p_")
    assert done.stderr.startswith("drift: income ")
    assert done.stderr.endswith(" (above 0.2) against the training rows\n")
    done, _ = run(tmp_path / "rich.csv", "out.csv", "--prefix", "p_", "--json")
    drift = json.loads(done.stdout)["drift"]
    assert drift["moved"] == ["income"]
    assert set(drift["psi"]) == {"age", "city", "income"}
    rows.head(40).to_csv(tmp_path / "few.csv", index=False)
    assert run(tmp_path / "few.csv")[0].stderr == ""


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
@pytest.mark.parametrize("given", ["csv", "parquet"])
def test_every_kind_of_file_gives_the_same_scores(run, model, tmp_path, given, ending):
    source = tmp_path / f"rows.{given}"
    if given == "csv":
        new_rows().to_csv(source, index=False)
    else:
        new_rows().to_parquet(source)
    done, out = run(source, f"out.{ending}")
    assert done.exit_code == 0, done.output
    separator = "\t" if ending == "tsv" else ","
    found = pd.read_parquet(out) if ending == "parquet" else pd.read_csv(out, sep=separator)
    assert np.array_equal(found["score"], model.decision_function(new_rows()))
    assert list(found["age"]) == [30, 61, 22]


def test_a_keel_file_is_read_too(project, run, model, tmp_path):
    (tmp_path / "rows.dat").write_text(
        "@relation r\n@attribute age integer [0, 99]\n@attribute city {Ghent, Bergen}\n"
        "@attribute income real [0, 100]\n@attribute buys {yes, no}\n@data\n"
        "30, Ghent, 1.1, yes\n22, Bergen, 99, no\n"
    )
    done, out = run(tmp_path / "rows.dat")
    assert done.exit_code == 0, done.output
    expected = model.decision_function(new_rows().iloc[[0, 2]])
    assert np.array_equal(pd.read_csv(out)["score"], expected)


def test_a_column_of_the_same_name_is_not_overwritten(run, tmp_path, model):
    rows = new_rows()
    rows["class"] = "mine"
    rows.to_csv(tmp_path / "rows.csv", index=False)
    done, out = run(tmp_path / "rows.csv")
    assert done.exit_code == 0, done.output
    assert "see smoothrank_score" in done.stdout
    found = pd.read_csv(out)
    assert list(found["class"]) == ["mine"] * 3
    assert list(found.columns[4:]) == [f"smoothrank_{name}" for name in ADDED]
    assert np.array_equal(found["smoothrank_score"], model.decision_function(new_rows()))
    done, out = run(tmp_path / "rows.csv", "out.csv", "--prefix", "predicted_")
    assert done.exit_code == 0, done.output
    found = pd.read_csv(out)
    assert np.array_equal(found["predicted_score"], model.decision_function(new_rows()))


def test_a_prefix_that_does_not_help_is_said(run, tmp_path):
    rows = new_rows().assign(my_score=1)
    rows.to_csv(tmp_path / "rows.csv", index=False)
    done, out = run(tmp_path / "rows.csv", "out.csv", "--prefix", "my_")
    assert "already has a column 'my_score'" in refused(done)
    assert "--prefix" in refused(done)
    assert not out.exists()


def test_every_row_that_can_be_is_scored_and_what_was_wrong_is_said(run, tmp_path, model):
    lines = ["age,city,income", "30,Oslo,1", "old,Ghent,1", "40,,", "50,Ghent,7"]
    (tmp_path / "rows.csv").write_text("\n".join(lines))
    done, out = run(tmp_path / "rows.csv")
    assert done.exit_code == 0, done.output
    said = "1 row with a level never seen, 1 with missing values, 1 with values that cannot be read"
    assert f"{said}: see column note" in done.stdout
    notes = ["city: 'Oslo' never seen", "age: 'old' cannot be read"]
    notes += ["income is missing; city is missing", ""]
    found = pd.read_csv(out)
    assert found["note"].fillna("").tolist() == notes
    done, _ = run(tmp_path / "rows.csv", "out.csv", "--json")
    facts = json.loads(done.stdout)
    assert facts["rows_with"] == {"unseen": 1, "missing": 1, "unreadable": 1}
    filled = pd.DataFrame({"age": [50], "city": ["Ghent"], "income": [7.0]})
    assert found["score"][3] == model.decision_function(filled)[0]


def test_an_infinite_value_is_one_that_cannot_be_read(run, tmp_path):
    (tmp_path / "rows.csv").write_text("age,city,income\n30,Ghent,1e999\n40,Ghent,2\n")
    done, out = run(tmp_path / "rows.csv")
    assert done.exit_code == 0, done.output
    assert pd.read_csv(out)["note"].fillna("").tolist() == ["income: inf cannot be read", ""]
    assert "'income', row 1: the value is infinite" in refused(
        run(tmp_path / "rows.csv", "out.csv", "--strict")[0]
    )


def test_the_class_is_that_of_the_threshold_that_is_named(run, model):
    likely = model.predict_proba(new_rows())
    done, out = run("new.csv")
    assert "class yes at probability >= 0.5" in done.stdout
    assert list(pd.read_csv(out)["class"] == "yes") == list(likely >= 0.5)
    done, out = run("new.csv", "out.csv", "--cost-fn", "9", "--cost-fp", "1")
    assert "class yes at probability >= 0.1" in done.stdout
    assert list(pd.read_csv(out)["class"] == "yes") == list(likely >= 0.1)
    done, out = run("new.csv", "out.csv", "--threshold", "1")
    assert "0 of 3 reach it: see --top, --cost-fn" in done.stdout
    assert set(pd.read_csv(out)["class"]) == {"no"}


def test_the_highest_scores_are_positive(run, model, tmp_path):
    done, out = run("new.csv", "out.csv", "--top", "2")
    assert "class yes for the 2 highest scores" in done.stdout
    found = pd.read_csv(out)
    assert set(found.index[found["class"] == "yes"]) == set(np.argsort(-found["score"])[:2])
    (tmp_path / "same.csv").write_text("age,city,income\n" + "30,Ghent,1\n" * 4)
    done, out = run(tmp_path / "same.csv", "out.csv", "--top", "1")
    assert "3 more have the lowest of these" in done.stdout
    assert list(pd.read_csv(out)["class"]) == ["yes", "no", "no", "no"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--threshold", "0.3", "--cost-fn", "2"), "give --threshold, or --cost-fp"),
        (("--threshold", "0.3", "--top", "2"), "--top decides"),
        (("--threshold", "30"), "from 0 to 1, not 30"),
        (("--cost-fn", "-1"), "--cost-fn is above zero"),
    ],
)
def test_rules_that_do_not_go_together_are_refused(run, options, message):
    done, out = run("new.csv", "out.csv", *options)
    assert message in refused(done)
    assert not out.exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("age,city,income\n", "rows.csv has no rows"),
        ("", "rows.csv is empty"),
        ("age,city\n30,Ghent\n", "rows.csv: missing columns: 'income'"),
        ("age,city,income\n30,Oslo,1\n", "column 'city', row 1: unknown level 'Oslo'; known are"),
        ("age,city,income\n30,Ghent,1\nold,Ghent,1\n", "'age', row 2: 'old' is not a number"),
        ("age,city,income,age\n30,Ghent,1,2\n", "two columns 'age'"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(run, tmp_path, text, message):
    (tmp_path / "rows.csv").write_text(text)
    done, out = run(tmp_path / "rows.csv", "out.csv", "--strict")
    assert message in refused(done)
    assert not out.exists()


def test_a_column_that_is_not_there_is_refused_always(run, tmp_path):
    (tmp_path / "rows.csv").write_text("age,city\n30,Ghent\n")
    assert "rows.csv: missing columns: 'income'" in refused(run(tmp_path / "rows.csv")[0])


def test_a_parquet_file_without_rows_is_refused(run, tmp_path):
    new_rows().head(0).to_parquet(tmp_path / "rows.parquet")
    assert "has no rows" in refused(run(tmp_path / "rows.parquet")[0])


@pytest.mark.parametrize(
    ("file", "out", "message"),
    [
        ("nowhere.csv", "out.csv", "there is no file nowhere.csv"),
        ("new.csv", "out.xlsx", "one of .csv, .tsv, .parquet"),
        ("new.csv", "no/such/out.csv", "there is no folder"),
    ],
)
def test_files_that_cannot_be_read_or_written(run, file, out, message):
    assert message in refused(run(file, out)[0])


def test_a_model_that_is_not_there(project, tmp_path, monkeypatch):
    monkeypatch.chdir(project)
    arguments = ["predict", "nobody", "new.csv", "-o", str(tmp_path / "out.csv")]
    assert "no model 'nobody'" in refused(CliRunner().invoke(app, arguments))


def test_the_rows_are_never_written_over(project, monkeypatch):
    monkeypatch.chdir(project)
    before = (project / "new.csv").read_bytes()
    done = CliRunner().invoke(app, ["predict", "model", "new.csv", "-o", "./new.csv"])
    assert "write to another" in refused(done)
    assert (project / "new.csv").read_bytes() == before


def test_an_output_is_replaced_whole_or_left_alone(run, tmp_path, monkeypatch):
    done, out = run("new.csv")
    before = out.read_bytes()
    full = OSError(28, "No space left on device")

    def half_written(table, path, **_):
        path.write_text("score\n1")
        raise full

    with monkeypatch.context() as patch:
        patch.setattr(pd.DataFrame, "to_csv", half_written)
        done, _ = run("new.csv")
    assert "cannot write" in refused(done)
    assert "No space left" in refused(done)
    assert out.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]
    done, _ = run("new.csv", "out.csv", "--explain")
    assert done.exit_code == 0
    assert out.read_bytes() != before
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


def test_a_mistake_is_one_line_and_exit_code_2(project, tmp_path):
    command = [sys.executable, "-m", "flows.commands.cli", "predict", "nobody", "new.csv", "-o"]
    done = subprocess.run(
        [*command, str(tmp_path / "out.csv")],
        cwd=project, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("smoothrank: there is no model 'nobody'")
    assert done.stderr.count("\n") == 1


def test_predict_loads_nothing_that_it_does_not_need(project, tmp_path):
    code = (
        "import sys; from flows.commands.cli import app; "
        f"app(['predict', 'model', 'new.csv', '-o', {str(tmp_path / 'out.csv')!r}], "
        "standalone_mode=False); "
        "heavy = {'tensorflow', 'mlflow', 'prefect', 'great_expectations', 'matplotlib', "
        "'gurobipy', 'highspy'} & set(sys.modules); sys.exit(str(heavy) if heavy else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=project, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_what_a_few_rows_leave_open_is_read_as_in_the_training_file(tmp_path, monkeypatch):
    rows = pd.DataFrame({"when": pd.date_range("2024-01-01", periods=60, freq="3D")})
    rows["size"] = np.arange(60) * 0.25 + 1
    rows["y"] = np.where(np.arange(60) % 3, "no", "yes")
    rows.to_csv(tmp_path / "t.tsv", sep="\t", index=False, decimal=",", date_format="%d/%m/%Y")
    data = load_file(tmp_path / "t.tsv", "y", "yes")
    encoder = TableEncoder().fit(data.X)
    estimator = SmoothRankingPrototype(solver="highs", scale="standard", max_prototypes=2)
    classifier = estimator.fit(encoder.transform(data.X), data.y)
    model = TabularModel(encoder, classifier, "y", "no", "yes", style=data.style)
    save_model(model, tmp_path / "model")
    (tmp_path / "new.tsv").write_text("when\tsize\n03/04/2024\t1,234\n")
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["predict", "model", "new.tsv", "-o", "out.csv"])
    assert done.exit_code == 0, done.output
    meant = pd.DataFrame({"when": [pd.Timestamp("2024-04-03")], "size": [1.234]})
    assert pd.read_csv("out.csv")["score"][0] == model.decision_function(meant)[0]
