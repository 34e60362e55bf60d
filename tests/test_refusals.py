"""What is written down of refusals is of tests that there are; what a test no longer says, it tells itself."""

from tests.refusals import FIXTURES
from tests.shell import ROOT


def test_no_refusal_is_written_down_of_a_test_that_is_gone():
    gone = [
        (path.name, name)
        for path in FIXTURES.glob("refused/*.txt")
        for name in {one.partition("\n")[0].partition("[")[0] for one in path.read_text("utf-8").split("\n\n")}
        if f"def {name}(" not in (ROOT / "tests" / f"{path.stem.replace('-', '/')}.py").read_text("utf-8")
    ]
    assert not gone
