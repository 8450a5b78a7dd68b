from pedkit.phones import (
    CMU39_TO_TIMIT39,
    TIMIT48_TO_39,
    TIMIT61_TO_39,
    TIMIT61_TO_48,
    ProjectionPolicy,
    Projector,
    get_inventory,
)

# The labels of DR1/FVMH0/SA1: "She had your dark suit in greasy wash water all year".
SENTENCE = (
    "h# sh iy hv ae dcl y ix dcl d aa kcl s ux tcl en gcl g r iy s iy w aa sh epi w aa dx ax q ao l y ih ax h#"
)


def test_sentence_onto_cmu39():
    result = Projector("timit61")(SENTENCE)
    assert " ".join(result.phones) == (
        "SH IY HH AE D Y IH D AA K S UW T AH N G R IY S IY W AA SH W AA T AH AO L Y IH AH"
    )
    assert (result.dropped, result.ignored) == (("q",), ("h#", "epi", "h#"))


def test_sentence_with_the_other_choices():
    policy = ProjectionPolicy(closures="fold", syllabic="bare", flap="D", glottal="T")
    result = Projector("timit61", policy=policy)(SENTENCE)
    assert " ".join(result.phones) == "SH IY HH AE Y IH D AA S UW N G R IY S IY W AA SH W AA D AH T AO L Y IH AH"
    assert result.dropped == ("dcl", "dcl", "kcl", "tcl", "gcl")


def test_closures_merge_with_their_own_release_only():
    timit = Projector("timit61")
    assert timit("tcl t tcl ch dcl jh tcl").phones == ("T", "CH", "JH", "T")
    assert timit("tcl d pcl").phones == ("T", "D", "P")
    assert timit("kcl kcl k").phones == ("K", "K")


def test_three_schemes_on_the_symbols_that_differ():
    symbols = ["zh", "ao", "dx", "el", "q", "tcl"]
    folded = Projector("timit61", "timit39")(symbols)
    assert folded.phones == ("sh", "aa", "dx", "l", "sil")
    assert folded.dropped == ("q",)
    assert Projector("timit61")(symbols).phones == ("ZH", "AO", "T", "AH", "L", "T")
    assert Projector("timit61", "timit48")(["zh", "ao", "ix", "tcl", "bcl"]).phones == (
        "zh",
        "ao",
        "ix",
        "cl",
        "vcl",
    )


def test_maps_cover_their_inventories_and_agree():
    assert set(TIMIT61_TO_48) == set(get_inventory("timit61").phones) - {"q"}
    assert set(TIMIT61_TO_48.values()) == set(get_inventory("timit48").phones)
    assert set(TIMIT61_TO_39.values()) == set(get_inventory("timit39").phones)
    assert all(TIMIT48_TO_39[TIMIT61_TO_48[phone]] == TIMIT61_TO_39[phone] for phone in TIMIT61_TO_39)


def test_cmu39_onto_timit39():
    assert (CMU39_TO_TIMIT39["AO"], CMU39_TO_TIMIT39["ZH"], CMU39_TO_TIMIT39["T"]) == ("aa", "sh", "t")
    assert set(CMU39_TO_TIMIT39.values()) == set(get_inventory("timit39").phones) - {"dx", "sil"}
