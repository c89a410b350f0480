"""Each cleaning rule changes what it says, leaves the rest alone, and is counted."""

from __future__ import annotations

import pytest

from gazeline.params.subtitles import CleaningParams, SubtitlesParams
from gazeline.subtitles.cleaning.clean import clean
from gazeline.subtitles.cleaning.rules import RULES, chosen_rules, released_rules, rules_for
from gazeline.subtitles.mojibake import repaired

BY_NAME = {rule.name: rule.apply for rule in RULES}

CASES = [
    ("mojibake", "MystÃ¨re", "Mystère"),
    ("mojibake", "â\x99ª la â\x99ª", "♪ la ♪"),
    ("mojibake", "itâ€™s â€œfineâ€\x9d", "it’s “fine”"),
    ("mojibake", "déjà vu", "déjà vu"),
    ("mojibake", "dÃ©jÃ vu", "dÃ©jÃ vu"),
    ("tags", "<i>Oh, come on</i>", "Oh, come on"),
    ("tags", '<font color="#fff">Hi</font>', "Hi"),
    ("tags", r"{\an8}{\i1}Up here", "Up here"),
    ("tags", "{y:i}Slanted", "Slanted"),
    ("tags", "R&amp;B, M&Ms. &#9834;", "R&B, M&Ms. ♪"),
    ("tags", "5 < 6 and {so on}", "5 < 6 and {so on}"),
    ("ads", "Downloaded from www.OpenSubtitles.org", ""),
    ("ads", "Subtitles by NobodyAtAll", ""),
    ("ads", "Synced and corrected by somebody", ""),
    ("ads", "Captioned by the National Captioning Institute", ""),
    ("ads", "- Ripped by: SkyFury -", ""),
    ("ads", "It was encoded by the enemy.", "It was encoded by the enemy."),
    ("ads", "Encoded by Somebody - https://example.org", ""),
    ("ads", "He was corrected. Stand by me.", "He was corrected. Stand by me."),
    ("ads", "I read the subtitles myself.", "I read the subtitles myself."),
    ("music", "♪ Hand on my heart ♫", " Hand on my heart "),
    ("sdh", "[ Wind Howling ]", " "),
    ("sdh", "(sighs) Fine.", "  Fine."),
    ("sdh", "[two\nlines] Run!", "  Run!"),
    ("sdh", "[never closed", "[never closed"),
    ("speakers", "MAN: Hello", "Hello"),
    ("speakers", "- MRS. DALE: At 10:30.", "- At 10:30."),
    ("speakers", "One\nWOMAN 2: Two", "One\nTwo"),
    ("speakers", "ROMEO & JULIET: Both", "Both"),
    ("speakers", "Note: this stays", "Note: this stays"),
    ("speakers", "It is 10:30", "It is 10:30"),
    ("speakers", "I: the first", "I: the first"),
    ("hyphens", "- Son of a...\n- Come on, X-ray.", "Son of a...\nCome on, X-ray."),
    ("hyphens", "well-known", "well-known"),
    ("dashes", "Wait—no", "Wait no"),
    ("dashes", "well-known", "well-known"),
    ("backslashes", r"one\Ntwo\hthree", "one two three"),
    ("quotes", "“I’m ‘here’”", "\"I'm 'here'\""),
    ("whitespace", "  one\n two\u00a0 ", "one two"),
    ("lowercase", "Oh NO", "oh no"),
]


@pytest.mark.parametrize(("rule", "text", "wanted"), CASES)
def test_a_rule_changes_what_it_says(rule, text, wanted):
    assert BY_NAME[rule](text) == wanted


def test_every_rule_is_tested_and_is_a_param_in_the_order_of_application():
    assert {rule for rule, _, _ in CASES} == set(BY_NAME)
    assert list(CleaningParams.model_fields) == [rule.name for rule in RULES]


@pytest.mark.parametrize("name", [rule.name for rule in RULES])
def test_a_rule_that_is_switched_off_is_not_applied(name):
    names = [rule.name for rule in chosen_rules(CleaningParams.model_validate({name: False}))]
    assert name not in names


def test_the_rules_together_leave_what_is_said():
    raw = "<i>- MARLA: “We’re\nlate—again!” [sighs]</i>\n- ♪ la la ♪"
    assert clean([raw], chosen_rules(CleaningParams())).texts == ('"We\'re late again!" la la',)


def test_a_rule_counts_the_texts_it_changed():
    cleaned = clean(["<i>a</i><b>b</b>", "c", "<i>d</i>", "[x]"], chosen_rules(CleaningParams()))
    assert cleaned.texts == ("ab", "c", "d", "")
    assert cleaned.fired["tags"] == 2
    assert (cleaned.fired["sdh"], cleaned.fired["whitespace"], cleaned.fired["ads"]) == (1, 1, 0)


def test_cleaning_twice_changes_nothing_more():
    rules = chosen_rules(CleaningParams(lowercase=True))
    once = clean([text for _, text, _ in CASES], rules)
    assert sum(clean(once.texts, rules).fired.values()) == 0


def test_the_preset_of_the_paper_takes_its_own_rules_whatever_is_switched_off():
    params = SubtitlesParams(preset="released", cleaning=CleaningParams(tags=False))
    assert [rule.name for rule in rules_for(params)] == [rule.name for rule in released_rules()]


@pytest.mark.parametrize(
    ("raw", "released"),
    [
        ("- Son of a...\n- Come on.", "Son of a... Come on."),
        ("â\x99ª Hand on my heart â\x99ª", "Hand on my heart"),
        ("â\x99« Jimmy Durante", "« Jimmy Durante"),
        ("Iâ\x80\x99m well-known â\x80\x94 [sighs]", "I'm wellknown [sighs]"),
        ("back\\slash <i>kept CASE</i>", "backslash kept CASE"),
        ("dÃ©jÃ\xa0 vu", "dÃ©jÃ vu"),
    ],
)
def test_the_papers_rules_work_on_text_in_the_wrong_encoding(raw, released):
    assert clean([raw], released_rules()).texts == (released,)


def test_only_text_that_goes_back_whole_is_repaired():
    assert repaired("right-wing UstaÅ¡e") == "right-wing Ustaše"
    assert repaired("naïve") == "naïve"
    assert repaired("Ã© and 雨") == "Ã© and 雨"
