"""The review page in a real browser: keys, CSV out and in, progress, blindness to markup, a phone's width."""

import csv

import pytest
from headless_browser import Browser, browser_path
from miniature_set import utterance, write_set

from synthetic.made_set import MadeSet
from synthetic.review.page import write_page
from synthetic.review.sheet import chosen
from synthetic.review.verdicts import Review, read_reviews

pytestmark = pytest.mark.skipif(browser_path() is None, reason="needs chromium (apt-get install chromium)")

EVIL = "<script>document.title='broken in'</script><img src=x onerror=alert(1)>"
PRESSED = "[...document.querySelectorAll('[aria-pressed=true]')].map(b => b.dataset.verdict).join()"
TEXT = "document.getElementById('text').textContent"
COUNT = "document.getElementById('count').textContent"
LOADED = "document.getElementById('loaded').textContent"


@pytest.fixture(scope="module")
def review(tmp_path_factory):
    """Return the set, its page and the ids in the order of the page."""
    folder = tmp_path_factory.mktemp("review")
    items = [
        utterance("w0", "B AH T ER", "B AH D ER", text="butter"),
        utterance("w1", "K AE T", "K AE", text=EVIL),
        utterance("w2", "D AO G", "D AO G", text='dog, "the"'),
        utterance("w3", "F IH SH", "F IH SH AH", text="fish"),
    ]
    made = MadeSet(write_set(folder / "made", items))
    write_page(made, folder / "review.html", reviewer="anna", seed=1)
    return made, folder / "review.html", chosen(made.utterances, None, 1, "anna")


@pytest.fixture(scope="module")
def one_browser(tmp_path_factory):
    with Browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture
def browser(one_browser, review):
    """Return a browser with the page open, to which nobody has said anything yet."""
    one_browser.open(review[1])
    one_browser.value("localStorage.clear()")
    one_browser.open(review[1])
    return one_browser


def texts(review):
    made, _, order = review
    return [made.utterances[name].text for name in order]


def test_keys_give_verdicts_and_go_on(browser, review):
    order = texts(review)
    assert browser.value(TEXT) == order[0]
    for key, after in zip("aru", order[1:], strict=True):
        browser.press(key)
        assert browser.value(TEXT) == after
    assert browser.value(COUNT) == "3 of 4 judged"
    for key, verdict, text in (("b", "unsure", order[2]), ("ArrowLeft", "reject", order[1])):
        browser.press(key)
        assert (browser.value(TEXT), browser.value(PRESSED)) == (text, verdict)
    browser.press("x")
    assert (browser.value(PRESSED), browser.value(COUNT)) == ("", "2 of 4 judged")
    browser.press("n")
    browser.press("ArrowRight")
    assert browser.value(TEXT) == order[3]
    browser.press("g")
    assert browser.value(TEXT) == order[1]
    browser.press("a")
    browser.press("a")
    assert browser.value(COUNT) == "4 of 4 judged"
    assert "download the CSV" in browser.value("document.getElementById('said').textContent")
    assert browser.value("document.activeElement.id") == "export"
    assert browser.faults() == []


def test_progress_is_kept_when_the_page_is_loaded_again(browser, review):
    browser.press("r")
    browser.press("t")
    browser.type("a note, typed")
    browser.press("Enter")
    browser.press("n")
    browser.reload()
    assert browser.value(TEXT) == texts(review)[2]
    assert browser.value(COUNT) == "1 of 4 judged"
    browser.press("b")
    assert browser.value("document.getElementById('note').value") == "a note, typed"
    browser.press("b")
    assert browser.value(PRESSED) == "reject"
    assert browser.value("document.getElementById('unsaved').hidden") is True


def test_another_reviewer_in_the_same_browser_starts_with_nothing(browser, review, tmp_path):
    browser.press("a")
    made = review[0]
    write_page(made, made.folder / "bob.html", reviewer="bob", seed=1)
    browser.open(made.folder / "bob.html")
    assert browser.value(COUNT) == "0 of 4 judged"


def test_letters_in_a_note_are_no_verdicts(browser):
    browser.press("t")
    for key in "aru":
        browser.press(key)
    assert browser.value("document.getElementById('note').value") == "aru"
    assert browser.value(COUNT) == "0 of 4 judged"
    browser.press("Escape")
    browser.press("a")
    assert browser.value(COUNT) == "1 of 4 judged"


def test_single_keys_can_be_switched_off(browser):
    browser.value("document.getElementById('keys').click()")
    browser.press("a")
    assert browser.value(COUNT) == "0 of 4 judged"


def test_the_csv_file_says_what_was_judged_and_is_read_back(browser, review, tmp_path):
    made, _, order = review
    browser.download_to(tmp_path)
    browser.press("a")
    browser.press("t")
    browser.type('says "bad", or; so')
    browser.press("Enter")
    browser.press("r")
    browser.value("document.getElementById('export').click()")
    path = tmp_path / f"review-{made.mark}-anna.csv"
    while not path.exists():
        browser.value("new Promise(done => setTimeout(() => done(true), 50))")
    with path.open(encoding="utf-8-sig", newline="") as stream:
        assert list(csv.reader(stream)) == [
            ["set", "reviewer", "id", "verdict", "note"],
            [made.mark, "anna", order[0], "accept", ""],
            [made.mark, "anna", order[1], "reject", 'says "bad", or; so'],
        ]
    assert read_reviews(path, made.mark, made.utterances) == [
        Review(made.mark, "anna", order[0], "accept"),
        Review(made.mark, "anna", order[1], "reject", 'says "bad", or; so'),
    ]
    browser.value("localStorage.clear()")
    browser.reload()
    assert browser.value(COUNT) == "0 of 4 judged"
    browser.choose_file("#import", path)
    assert browser.wait_for(LOADED) == f"2 lines of {path.name} loaded."
    assert browser.value(COUNT) == "2 of 4 judged"
    assert browser.value(PRESSED) == "accept"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("id;verdict;note\r\nw0;accept;\"a;\"\"b\"\"\"\r\nw1;;\r\n", "2 lines of in.csv loaded."),
        ("id,verdict\nw0,accept\nw9,accept\n", "in.csv, line 3: “w9” is not on this page. Nothing was loaded."),
        ("id,verdict\nw0,accept\nw0,reject\n", "in.csv, line 3: “w0” stands twice. Nothing was loaded."),
        ("id,verdict\nw0,good\n", "in.csv, line 2: “good” is no verdict. Nothing was loaded."),
        ("id,reviewer,verdict\nw0,bob,accept\n",
         "in.csv, line 2: this is bob's, and this page is anna's. Nothing was loaded."),
        ("set,id,verdict\nx,w0,accept\n", "in.csv, line 2: this is of another set. Nothing was loaded."),
        ("id\nw0\n", "in.csv, line 1: there is no column “verdict”. Nothing was loaded."),
        ("", "in.csv, line 1: there is no column “id”. Nothing was loaded."),
        ("id,verdict\nw0,\"accept\n", "in.csv, line 2: a quote is not closed. Nothing was loaded."),
    ],
)  # fmt: skip
def test_a_file_that_is_loaded_is_looked_at_first(browser, tmp_path, content, expected):
    path = tmp_path / "in.csv"
    path.write_bytes(content.encode())
    browser.choose_file("#import", path)
    assert browser.wait_for(LOADED) == expected
    assert browser.value(COUNT) == f"{int('loaded.' in expected and 'Nothing' not in expected)} of 4 judged"


def test_texts_of_the_set_are_only_texts(browser, review):
    while browser.value(TEXT) != EVIL:
        browser.press("n")
    assert browser.value("document.title").startswith("Review of made by anna")
    assert browser.value("document.querySelectorAll('#card script, #card img').length") == 0
    assert browser.value("document.querySelectorAll('#all img').length") == 0
    assert browser.faults() == []


def test_the_error_is_marked_for_eyes_and_ears(browser):
    while browser.value(TEXT) != "butter":
        browser.press("n")
    rows = browser.value(
        "[...document.querySelectorAll('#phones tr')].map(r => [...r.cells].map(c => c.textContent))"
    )
    assert rows == [
        ["canonical", "B", "AH", "T (not said so)", "ER"],
        ["to be heard", "B", "AH", "D (error)", "ER"],
    ]
    assert browser.value("document.getElementById('errors').textContent") == "T becomes D"
    assert browser.value("document.querySelector('td.off').firstChild.textContent") == "D"


@pytest.mark.parametrize("embed", [False, True])
def test_recordings_play_and_nothing_else_is_asked_for(browser, tmp_path, review, embed):
    page = tmp_path / "review.html"
    write_page(review[0], page, reviewer="anna", seed=1, embed=embed)
    browser.open(page)
    browser.press("p")
    browser.wait_for("document.getElementById('audio').played.length > 0")
    assert browser.value("document.getElementById('audio').duration") == pytest.approx(0.3, abs=0.01)
    assert browser.value("document.getElementById('audio').error") is None
    assert {address.partition(":")[0] for address in browser.requests()} <= {"file", "data"}
    assert browser.faults() == []


def test_it_fits_a_phone(browser):
    browser.resize(360, 740)
    assert browser.value("document.documentElement.scrollWidth") == 360
    heights = "[...document.querySelectorAll('.verdicts button, #play, #next')].map(b => b.offsetHeight)"
    assert min(browser.value(heights)) >= 44  # of a finger: WCAG 2.5.5
    browser.value("window.scrollTo(0, 0)")
    assert browser.value("document.querySelector('.verdicts').getBoundingClientRect().bottom") <= 740


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_in_light_and_in_the_dark(browser, scheme):
    browser.prefer(scheme)
    browser.press("a")
    browser.press("b")
    contrasts = browser.value("""(() => {
        const parts = (color) => {
            const context = document.createElement("canvas").getContext("2d");
            context.fillStyle = color;
            context.fillRect(0, 0, 1, 1);
            return [...context.getImageData(0, 0, 1, 1).data];
        };
        const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
            .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
            .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
        const behind = (element) => {
            for (let one = element; one; one = one.parentElement) {
                const found = parts(getComputedStyle(one).backgroundColor);
                if (found[3] === 255) return found;
            }
            return [255, 255, 255];
        };
        const texts = "h1, h2, p, b, td, th, kbd, li, summary, label, dt, dd, button";
        return [...document.querySelectorAll(texts)]
            .filter((e) => e.offsetParent && e.textContent.trim() && !e.disabled)
            .map((e) => {
                const [a, b] = [light(parts(getComputedStyle(e).color)), light(behind(e))].sort((x, y) => y - x);
                return [(a + 0.05) / (b + 0.05), e.tagName + " " + e.textContent.trim().slice(0, 30)];
            });
    })()""")
    assert len(contrasts) > 30
    assert [found for found in contrasts if found[0] < 4.5] == []  # WCAG 2.2, level AA
