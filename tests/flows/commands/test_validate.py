"""`smoothrank data validate` as a person or a nightly job sees it."""

import json
import subprocess
import sys

import pytest

from flows.commands.cli import main

GOOD = """age,city,churn
30,Bern,no
40,Genf,no
35,Bern,yes
36,Bern,yes
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "customers.csv").write_text(GOOD)
    return tmp_path


@pytest.fixture
def smoothrank(monkeypatch, capfd):
    """Run `smoothrank data validate …`: the exit code, what it printed, and its errors."""

    def run(*arguments, command="validate"):
        monkeypatch.setattr(sys, "argv", ["smoothrank", "data", command, *arguments])
        with pytest.raises(SystemExit) as stop:
            main()
        code = stop.value.code
        return (code or 0, *capfd.readouterr())

    return run


def test_a_data_set_that_passes(smoothrank, load_or_skip):
    load_or_skip("abalone9-18")
    assert smoothrank("abalone9-18") == (0, "abalone9-18: all 27 expectations hold\n", "")


def test_the_first_file_makes_the_suite_and_the_next_is_held_against_it(project, smoothrank):
    suite = ".smoothrank/data/customers/suite.json"
    assert smoothrank("customers.csv") == (
        0,
        f"customers: first validation; its expectations are now in {suite}\n"
        "customers: all 16 expectations hold\n",
        "",
    )
    (project / "customers.csv").write_text(GOOD.replace("40,Genf", ",Oslo"))
    how = "if this is how the data is from now on: smoothrank data accept customers.csv\n"
    assert smoothrank("customers.csv") == (
        0,
        "customers: 14 of 16 expectations hold; the others are warnings\n",
        "warning: 'age' has 1 value missing; there were none before (they are filled in).\n"
        "  row 2 (line 3): age=(missing), city=Oslo, churn=no\n"
        "warning: 'city' was one of 'Bern', 'Genf' before; 1 value is not, such as 'Oslo' "
        "(new levels count as `other`).\n"
        f"  row 2 (line 3): city=Oslo, age=(missing), churn=no\n{how}",
    )
    (project / "customers.csv").write_text(GOOD.replace("40,Genf", "400,Genf"))
    assert smoothrank("customers.csv") == (
        1,
        "customers fails 1 of 16 expectations\n"
        "- 'age' must be between 20 and 50; 1 value is not (more than 5 %), such as '400'.\n"
        "  row 2 (line 3): age=400, city=Genf, churn=no\n",
        how,
    )


def test_what_differs_is_accepted_with_the_command_that_is_printed(project, smoothrank):
    smoothrank("customers.csv")
    (project / "customers.csv").write_text(GOOD.replace("40,Genf", "400,Oslo"))
    assert smoothrank("customers.csv")[0] == 1
    suite = ".smoothrank/data/customers/suite.json"
    assert smoothrank("customers.csv", command="accept") == (
        0,
        "- age: range -340 to 770 instead of 20 to 50\n"
        "- city: new levels 'Oslo'\n"
        f"customers: accepted; its expectations are in {suite}; "
        "the old ones are in suite.1.json\n",
        "",
    )
    assert smoothrank("customers.csv")[0] == 0
    (project / "customers.csv").write_text(GOOD)
    assert smoothrank("customers.csv") == (0, "customers: all 16 expectations hold\n", "")
    _, out, _ = smoothrank("customers.csv", "--json", command="accept")
    assert json.loads(out)["changes"] == []
    code, _, err = smoothrank("glass0", command="accept")
    assert code == 2
    assert "part of smoothrank" in err


def test_all_that_belongs_to_a_file_is_exported(project, smoothrank):
    code, _, err = smoothrank("customers", "copy", command="export")
    assert code == 2
    assert "no file was validated here yet" in err
    smoothrank("customers.csv")
    done = smoothrank("customers", "copy", command="export")
    assert done == (0, "  suite.json\ncustomers: 1 file copied to copy\n", "")
    own = project / ".smoothrank/data/customers/suite.json"
    assert (project / "copy/suite.json").read_bytes() == own.read_bytes()
    code, _, err = smoothrank("shops", "copy", command="export")
    assert code == 2
    assert "there are: customers" in err


def test_json_is_one_object_and_nothing_else(project, smoothrank):
    code, out, err = smoothrank("customers.csv", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["passed"] is True
    (project / "customers.csv").write_text(GOOD.replace("yes", "ja"))
    code, out, err = smoothrank("customers.csv", "--json")
    assert (code, err) == (1, "")
    result = json.loads(out)
    assert set(result) == {"passed", "dataset", "checksum", "expectations", "failures", "warnings"}
    assert result["failures"][0]["example"] == {"age": "35", "city": "Bern", "churn": "ja"}
    assert result["failures"][0]["line"] == 4


def test_a_suite_of_its_own_place_and_margin(project, smoothrank):
    smoothrank("customers.csv", "--suite", "own.json", "--range-margin", "0")
    assert (project / "own.json").exists()
    (project / "customers.csv").write_text(GOOD.replace("40", "41"))
    code, out, _ = smoothrank("customers.csv", "--suite", "own.json")
    assert code == 1
    assert "'age' must be between 30 and 40; 1 value is not (more than 5 %), such as '41'." in out


def test_a_margin_that_comes_too_late_is_said(project, smoothrank):
    assert smoothrank("customers.csv", "--range-margin", "1")[2] == ""
    code, out, err = smoothrank("customers.csv", "--range-margin", "0", "--json")
    assert code == 0
    assert json.loads(out)["passed"]
    assert err.startswith(
        "--range-margin is ignored: .smoothrank/data/customers/suite.json already"
    )
    assert err.count("\n") == 1
    assert smoothrank("customers.csv")[2] == ""


def test_a_wide_row_is_cut_short_behind_the_column_at_fault(project, smoothrank):
    names = [f"c{i}" for i in range(20)]
    rows = [
        ",".join([*names, "y"]),
        *(",".join([number] * 20 + [label]) for number, label in ("1a", "2a", "1b", "2b")),
    ]
    (project / "wide.csv").write_text("\n".join(rows))
    smoothrank("wide.csv")
    (project / "wide.csv").write_text("\n".join([*rows, "1," * 19 + "x,a"]))
    _, out, _ = smoothrank("wide.csv")
    assert out.splitlines()[2].startswith("  row 5 (line 6): c19=x, c0=1, c1=1,")
    assert out.splitlines()[2].endswith("c10=1, and 9 more columns")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "name a data set or a file"),
        (["nowhere.csv"], "there is no file nowhere.csv"),
        (["abalone9"], "did you mean abalone9-18"),
        (["glass0", "--target", "x"], "for files only"),
        (["glass0", "--range-margin", "0"], "for files only"),
        (["customers.csv", "--target", "Churn"], "no column 'Churn'"),
        (["customers.csv", "--range-margin", "-1"], "range-margin"),
        (["customers.csv", "--range-margin", "nan"], "range-margin"),
        (["customers.csv", "--suite", "odd.json"], "odd.json is not a JSON file"),
    ],
)
def test_a_users_mistake_is_said_without_a_traceback(project, smoothrank, arguments, reason):
    (project / "odd.json").write_text("odd")
    code, out, err = smoothrank(*arguments)
    assert (code, out) == (2, "")
    assert reason in err
    assert "Traceback" not in err


def test_suites_of_all_data_sets_are_written(project, smoothrank):
    code, out, _ = smoothrank("--write-suites", "--json")
    report = json.loads(out)
    assert code == (1 if report["missing"] else 0)
    assert len(report["written"]) + len(report["missing"]) == 73
    assert len(list((project / "expectations").iterdir())) == len(report["written"])


def test_a_process_of_its_own_prints_the_result_and_nothing_else(project):
    command = "from flows.commands.cli import main; main()"
    arguments = ["data", "validate", "customers.csv", "--json"]
    done = subprocess.run(
        [sys.executable, "-c", command, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert done.stderr == ""
    assert json.loads(done.stdout)["passed"]


def test_the_command_line_starts_without_great_expectations():
    code = "import sys, flows.commands.cli; sys.exit('great_expectations' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("content", [b"", b"\x89PNG\r\n\x1a\n\0\0", b"age,churn\n1,2,3\n"])
def test_a_file_that_cannot_be_read_ends_with_2(project, smoothrank, content):
    (project / "customers.csv").write_bytes(content)
    code, said, errors = smoothrank("customers.csv", "--target", "churn")
    assert code == 2
    assert len((said + errors).splitlines()) <= 2


def test_a_later_file_that_cannot_be_read_ends_with_2_too(project, smoothrank):
    assert smoothrank("customers.csv")[0] == 0
    (project / "customers.csv").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    assert smoothrank("customers.csv")[0] == 2
