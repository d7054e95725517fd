"""The page of reasons shows what is said now."""

from tests.reasons_page import PAGE, asked, reasons_page


def test_the_page_of_reasons_is_up_to_date() -> None:
    assert reasons_page() == PAGE.read_text(), "run python -m tests.reasons_page, and read its diff"


def test_no_position_is_listed_twice() -> None:
    listed = [
        str([group["game"], group.get("parameters"), group.get("objective"), position])
        for group in asked()
        for position in group["positions"]
    ]
    assert len(listed) == len(set(listed))
