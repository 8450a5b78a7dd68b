import re

import pytest

from pedkit.errors import PedkitError
from pedkit.phones import strip_stress
from synthetic.design import Deletion, Insertion, PatternSource, Substitution, draw_design
from synthetic.design.contexts import Context
from synthetic.design.pattern_source import TABLES, read_rules

HEADER = "pattern\tcanonical\trealized\tcontext\treference\n"
L1 = ("mandarin", "spanish", "arabic", "hindi", "korean", "vietnamese")
STOP = ("S", "T", "AA1", "P")


@pytest.mark.parametrize(
    ("context", "at", "expected"),
    [
        ("_", 1, True),
        ("# _", 0, True),
        ("# _", 1, False),
        ("_ #", 3, True),
        ("S _ vowel", 1, True),
        ("# S _", 1, True),
        ("# consonant _ stressed", 1, True),
        ("_ unstressed", 1, False),
        ("vowel _ #", 3, True),
        ("_ P|T #", 2, True),
        ("_ K #", 2, False),
        ("# S stop _ liquid", 2, False),
        ("stop stop _", 2, False),
    ],
)
def test_contexts_in_the_notation_of_phonological_rules(context, at, expected):
    """The place of one phone of ``S T AA1 P``."""
    assert Context.parse(context).holds(STOP[:at], STOP[at + 1 :]) is expected


def kinds(source, phones):
    return {
        str(operation): weight
        for kind in ("substitution", "deletion", "insertion")
        for operation, weight in source.operations(kind, tuple(phones.split()))
    }


@pytest.mark.parametrize(
    ("pattern", "word", "errors"),
    [
        ("velar fronting", "K AE1 T", {"sub@0:K>T": 1}),
        ("velar fronting", "G IH1 G AH0 L", {"sub@0:G>D": 0.5, "sub@2:G>D": 0.5}),
        ("stopping", "S OW1 P", {"sub@0:S>T": 1}),
        ("gliding", "R EH1 D", {"sub@0:R>W": 1}),
        ("gliding", "L IY1 F", {"sub@0:L>W": 0.5, "sub@0:L>Y": 0.5}),
        ("cluster reduction", "S T AA1 P", {"del@0:S": 1}),
        ("cluster reduction", "B L UW1", {"del@1:L": 1}),
        ("cluster reduction", "HH AE1 N D", {"del@3:D": 1}),
        ("final-consonant deletion", "K AE1 T", {"del@2:T": 1}),
        ("final-consonant deletion", "HH AE1 N D", {}),
        ("epenthesis", "B L UW1", {"ins@1:AH0": 1}),
        ("labialization of dentals", "TH AH1 M", {"sub@0:TH>F": 1}),
        ("vocalization", "B AO1 L", {"sub@2:L>UH0": 0.5, "sub@2:L>OW0": 0.5}),
        ("velar assimilation", "D AO1 G", {"sub@0:D>G": 1}),
        ("final devoicing", "B EH1 D", {"sub@2:D>T": 1}),
    ],
)
def test_child_patterns(pattern, word, errors):
    assert kinds(PatternSource(["child"], [pattern]), word) == errors


@pytest.mark.parametrize(
    ("language", "word", "error"),
    [
        ("mandarin", "TH IH1 NG K", "sub@0:TH>S"),
        ("mandarin", "HH AW1 S", None),
        ("spanish", "S K UW1 L", "ins@0:EH0"),
        ("spanish", "V EH1 R IY0", "sub@0:V>B"),
        ("arabic", "P AA1 R K", "sub@0:P>B"),
        ("hindi", "W EH1 S T", "sub@0:W>V"),
        ("korean", "F AE1 N", "sub@0:F>P"),
        ("korean", "B EH1 N CH", "ins@4:IY0"),
        ("vietnamese", "B AE1 G", "del@2:G"),
    ],
)
def test_learner_patterns(language, word, error):
    found = kinds(PatternSource([language]), word)
    assert error is None or error in found
    assert (error is None) == (not found)


def test_every_pattern_of_a_word_is_as_likely_as_every_other():
    found = kinds(PatternSource(["child"], ["gliding", "dentalization", "stopping"]), "S L IY1")
    # Of the substitutions stopping and dentalization each make one, gliding two.
    assert found == {"sub@0:S>T": 1, "sub@0:S>TH": 1, "sub@1:L>W": 0.5, "sub@1:L>Y": 0.5}


def test_an_error_of_two_patterns_has_the_weight_of_both_and_both_names():
    source = PatternSource(["mandarin", "spanish"], ["dental fricatives"])
    assert source.name == "patterns:mandarin+spanish"
    found = kinds(source, "TH IH1 N")
    # Five rules of one name: S and T of both languages, F of Mandarin.
    assert found == {"sub@0:TH>S": pytest.approx(2 / 5), "sub@0:TH>T": pytest.approx(2 / 5), "sub@0:TH>F": 0.2}
    assert source.label(Substitution(0, "TH", "S"), ("TH", "IH1", "N")) == (
        "patterns:mandarin+spanish: dental fricatives"
    )


@pytest.mark.parametrize("table", ["child", *L1])
def test_every_shipped_rule_has_a_reference_and_applies_to_some_word(cmudict, table):
    rows = [line.split("\t") for line in (TABLES / f"{table}.tsv").read_text(encoding="utf-8").splitlines()]
    assert rows[0] == HEADER.rstrip().split("\t")
    assert all(len(row) == 5 and re.search(r" (19|20)\d\d", row[4]) for row in rows[1:])
    assert len({tuple(row[:4]) for row in rows}) == len(rows)
    words = [cmudict.pronunciations(word)[0] for word in sorted(cmudict)[::20] if word.isalpha()]
    for rule in read_rules(table):
        assert any(True for word in words for _ in rule.operations(word)), rule


def test_the_patterns_of_the_issue_are_there():
    child = {rule.pattern for rule in read_rules("child")}
    assert child >= {
        "velar fronting", "palatal fronting", "stopping", "gliding", "cluster reduction",
        "final-consonant deletion", "epenthesis", "dentalization", "labialization of dentals",
    }  # fmt: skip


def test_a_design_from_patterns_names_them(design_settings, cmudict):
    source = PatternSource(["child"], ["stopping", "gliding"])
    settings = design_settings(share=1.0, operations={"substitution": 1})
    design = draw_design(settings, cmudict, source, lambda _, request: request.phones)
    assert {item.source for item in design.items} == {"patterns:child: stopping", "patterns:child: gliding"}
    stops = {"P", "B", "T", "D"}
    for item in design.items:
        (operation,) = item.operations
        assert operation.realized in (stops if item.source.endswith("stopping") else {"W", "Y"})
        assert strip_stress(item.realized) != strip_stress(item.canonical)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("lisp\tS\tXX\t_\tme", r"own\.tsv:2: expected a phone of CMU-39 or '-', but got 'XX'"),
        ("lisp\tQ\tTH\t_\tme", r"own\.tsv:2: expected a phone of CMU-39, a class or '-', but got 'Q'"),
        (
            "lisp\tS\tTH\t# S\tme",
            r"own\.tsv:2: expected a context such as '# _ vowel' with one '_', but got '# S'",
        ),
        (
            "lisp\tS\tTH\t_ Q\tme",
            r"own\.tsv:2: expected a phone of CMU-39, # or a class in a context, but got 'Q'",
        ),
        ("lisp\tS\tS\t_\tme", r"own\.tsv:2: expected an error, but 'S' becomes 'S'"),
        ("lisp\t-\t-\t_\tme", r"own\.tsv:2: expected an error, but '-' becomes '-'"),
        ("lisp\tS\tTH\t_\t", r"own\.tsv:2: expected a value in the column 'reference'"),
    ],
)
def test_a_line_that_is_no_rule_is_named(tmp_path, line, message):
    path = tmp_path / "own.tsv"
    path.write_text(f"{HEADER}{line}\n", encoding="utf-8")
    with pytest.raises(PedkitError, match=message):
        PatternSource([str(path)])


def test_own_tables_may_weigh_patterns(tmp_path):
    path = tmp_path / "own.tsv"
    lines = ["a\tS\tTH\t_\tme\t3", "b\t-\tAH\t# S _\tme\t1", "b\tstop\t-\tS _\tme\t0.5"]
    path.write_text(HEADER.rstrip() + "\tweight\n" + "\n".join(lines) + "\n", encoding="utf-8")
    source = PatternSource([str(path)])
    assert source.name == "patterns:own"
    assert source.operations("substitution", STOP) == [(Substitution(0, "S", "TH"), 3.0)]
    assert source.operations("insertion", STOP) == [(Insertion(1, "AH0"), 1.0)]
    assert source.operations("deletion", STOP) == [(Deletion(1, "T"), 0.5)]
    path.with_name("bad.tsv").write_text(HEADER.rstrip() + "\tweight\na\tS\tTH\t_\tme\t-1\n", encoding="utf-8")
    with pytest.raises(PedkitError, match=r"bad\.tsv:2: expected a weight over 0, but got '-1'"):
        PatternSource([str(path.with_name("bad.tsv"))])


def test_names_that_are_not_there(tmp_path):
    with pytest.raises(PedkitError, match=r"no table of patterns 'french' \(there are: arabic, child, hindi"):
        PatternSource(["french"])
    with pytest.raises(PedkitError, match=r"no pattern 'glidin' in child \(did you mean 'gliding'\?\)"):
        PatternSource(["child"], ["glidin"])
    with pytest.raises(PedkitError, match="one table of patterns or more, but got none"):
        PatternSource([])
    (tmp_path / "empty.tsv").write_text(HEADER, encoding="utf-8")
    with pytest.raises(PedkitError, match=r"empty\.tsv: expected a table of patterns, but it is empty"):
        PatternSource([str(tmp_path / "empty.tsv")])
