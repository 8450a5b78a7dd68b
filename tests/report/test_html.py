import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from pedkit.report.figures import system_figures
from pedkit.report.html import render, write_report
from pedkit.report.measures import MEASURES
from tests.report.conftest import rate

VOID = {"meta", "input", "br"}


class Reader(HTMLParser):
    """Collects text, attributes and unbalanced tags."""

    def __init__(self):
        super().__init__()
        self.open, self.faults, self.seen, self.text = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)

    def handle_data(self, data):
        self.text.append(data)


@pytest.fixture
def html(page):
    return render(page)


@pytest.fixture
def read(html):
    reader = Reader()
    reader.feed(html)
    return reader


def test_tags_are_balanced_and_ids_unique(read):
    assert (read.faults, read.open) == ([], [])
    ids = [attrs["id"] for _, attrs in read.seen if "id" in attrs]
    assert len(ids) == len(set(ids))


def test_nothing_is_loaded_from_elsewhere(html, read):
    assert not re.search(r"(https?:)?//[a-z]", html)
    for tag, attrs in read.seen:
        for key in ("src", "href"):
            assert attrs.get(key, "#").startswith(("#", "data:")), (tag, attrs)
    assert "@import" not in html
    assert "url(" not in html


def test_every_link_leads_somewhere(read):
    ids = {attrs.get("id") for _, attrs in read.seen}
    targets = {attrs["href"][1:] for tag, attrs in read.seen if tag == "a"}
    assert targets <= ids


def test_text_from_data_is_escaped(html):
    assert "<b>think" not in html
    assert "&lt;b&gt;think" in html
    assert "&lt;mine&gt;" in html


def test_a_number_carries_its_fraction_and_an_undefined_one_its_reason(html):
    assert re.search(r'data-tip="3 / 10">30\.0', html)
    assert re.search(r'data-tip="undefined: no errors were made">–', html)


def test_measures_are_explained_and_no_bare_der_stands_anywhere(html, read):
    text = " ".join(read.text)
    assert all((measure.formula in text) == (key != "wer") for key, measure in MEASURES.items())
    assert not re.search(r"\bDER\b(?! \((Li|PEDBench)\))", text)
    names = re.findall(r"<dt id=\"m-(\w+)\">[^<]+ <code>(\w+)</code>", html)  # the names of the files stand beside
    assert names == [(key, key) for key in MEASURES if key != "wer"]


def test_words_are_about_measured_error(read):
    text = " ".join(read.text).lower()
    assert "difference in measured error" in text
    assert "bias" not in text


def test_the_page_can_be_heard_and_read_without_seeing_it(read):
    figures = [attrs for tag, attrs in read.seen if tag == "svg"]
    assert figures
    assert all(attrs["role"] == "img" and attrs["aria-label"] for attrs in figures)
    assert all("scope" in attrs for tag, attrs in read.seen if tag == "th")
    assert all(attrs["aria-label"] for tag, attrs in read.seen if tag == "audio")
    assert ("html", {"lang": "en"}) in read.seen
    assert read.seen.count(("caption", {})) + sum(t == "caption" and bool(a) for t, a in read.seen) == sum(
        tag == "table" for tag, _ in read.seen
    )


def test_a_speaker_count_that_is_not_known_says_so(html):
    assert re.search(r"<th scope=\"row\">female</th><td>unknown</td><td>1</td>", html)


def test_profile_of_what_was_heard(page):
    # said: S 5, T 5; right 7; another phone 1; not heard 2; two insertions on ten phones
    detail = page.sets[0].details["<mine>"]
    figures = system_figures("x", page.sets[0].scores["systems"]["<mine>"], detail, ("S", "T"))
    assert figures.profile == {
        "heard right": "70.0 %",
        "heard as another phone": "10.0 %",
        "not heard": "20.0 %",
        "insertions per 1,000 phones said": "200",
    }
    assert [(row["realized"], row["predicted"], row["count"], row["share"]) for row in figures.mistakes] == [
        ("∅", "S", "2", "–"),
        ("T", "∅", "2", "40"),
        ("S", "T", "1", "20"),
    ]
    assert figures.flags == [
        {"phone": "S", "FR": "1", "correct": "5", "FA": "0", "errors": "0"},
        {"phone": "T", "FR": "0", "correct": "3", "FA": "1", "errors": "2"},
    ]


def test_a_sound_without_a_name_has_its_own_column(page):
    # an annotator wrote <unk> for one of two S; T was not heard
    detail = replace(page.sets[0].details["<mine>"], confusions={("S", "S"): 1, ("S", "<unk>"): 1, ("T", None): 1})
    drawn = system_figures("x", page.sets[0].scores["systems"]["<mine>"], detail, ("S", "T")).heat_map
    assert "S heard as &lt;unk&gt;: 1 of 2" in drawn
    assert re.findall(r'<text class="tick"[^>]*>([^<]+)</text>', drawn) == ["S", "T", "&lt;unk&gt;", "∅"]


def test_the_footer_holds_what_is_the_same_for_all_sets(page):
    other = dict(
        page.sets[0].scores, settings=page.sets[0].scores["settings"] | {"split": "test", "groups": ["level"]}
    )
    text = render(replace(page, sets=(page.sets[0], replace(page.sets[0], key="other", scores=other))))
    shown = dict(re.findall(r'<th scope="row">([a-z_.]+)</th><td>([^<]*)</td>', text))
    assert (shown["projection"], shown["policy.flap"]) == ("cmu39", "T")
    assert "split" not in shown
    assert "groups" not in shown


def test_the_file_is_written_where_asked(page, tmp_path):
    path = write_report(tmp_path / "new" / "report.html", page)
    assert path.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_the_rates_of_diagnosis_say_which_detected_errors_they_leave_out():
    assert "Detected errors without a usable label (DU) are left out" in MEASURES["der_li"].meaning
    assert "detected errors alone" not in " ".join(measure.meaning for measure in MEASURES.values())


def test_the_rate_of_false_alarms_is_told_alike_in_chart_and_glossary(html):
    assert "no error: TA + FR</text>" in html
    assert "n = 8</text>" in html  # TA 6, FR 2, as the denominator of FRR
    assert not re.search("share of the phones said as intended|correctly said phones raise", html)
    assert "phones heard where the reference has none, so n depends on the system" in " ".join(html.split())


def test_a_sound_without_a_name_is_explained_where_one_stands(page, html):
    assert "did not say which phone" not in html
    assert "1 error on\n        2 reference phones<" in re.sub(r"\s*</span>", "<", html)
    example = replace(page.sets[0].examples[0], unnamed=6, reference=9)
    text = " ".join(render(replace(page, sets=(replace(page.sets[0], examples=(example,)),))).split())
    assert "9 reference phones, 6 unnamed sounds left out" in text
    assert "(or <code>err</code>): the annotator heard a sound here and did not say which phone" in text


def test_a_second_annotation_is_spoken_of_only_where_there_may_be_one(page, scores):
    scores["systems"]["<mine>"] |= {"agreement": {"observed": rate(8, 10)}}
    said = "one of the systems is a second annotation"
    assert said not in render(page)
    scores["systems"]["other"] = scores["systems"]["<mine>"]
    two = replace(page.sets[0], details={**page.sets[0].details, "other": page.sets[0].details["<mine>"]})
    assert said in render(replace(page, sets=(two,)))


def test_the_conclusion_is_drawn_where_there_are_reference_rows(page, scores):
    said = "in finding errors it is"
    assert said not in render(page)
    for one, f1 in ((scores["systems"]["<mine>"], 3), (scores["references"]["empty"], 1)):
        one["mdd"]["rates"]["f1"] = rate(f1, 4)
    scores["references"]["accept_all"] = scores["references"]["empty"]
    assert f"{said} better than both (F1 75.0 % against 25.0 % of accept-all and 25.0 % of empty)" in render(page)


def test_captions_stay_beside_tables_that_scroll(html, read):
    shown = [attrs for tag, attrs in read.seen if tag == "caption" and attrs != {"class": "hidden"}]
    assert html.count("<caption><span>") == len(shown) > 2
    assert re.search(r"\.scroll caption span \{[^}]*position: sticky; left: 0;", html)
