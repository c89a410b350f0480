"""The thesaurus file of the release, and the spellings that differ between its files."""

from __future__ import annotations

# CSV spelling → SQL spelling; the thesaurus has a third one.
SQL_SPELLING = {
    "Clothing": "Clothes",
    "Exp of emotion": "Exp of  emotion",
    "Type of shot": "Type of plan",
}
CONCEPTS = (
    ("Type of shot", "Shots that frame a person as something to look at"),
    ("Body", "Body parts singled out"),
    ("Voice", "Sensual, infantile, weeping, imploring voice"),
    ("Appearance", "Appearance at odds with the context; accessories"),
    ("Clothes", "Revealing or impractical clothing"),
    ("Posture", "Gesture or posture of seduction or dependence"),
    ("Speech", "Comments on looks, judgement on the body, stereotyping"),
    ("Activities", "Domestic or submissive activities; violence"),
    ("Look", "Gaze of one person upon another that is not returned"),
    ("Expression of emotion", "Stereotypical expression of emotion"),
    ("Soundtrack", "Sound that sexualises or ridicules"),
)
CHOICES = (
    ("Null", "False", "N/A"),
    ("Easy Negative", "False", "False"),
    ("Hard Negative", "True", "False"),
    ("Not sure", "True", "False"),
    ("Sure", "True", "False"),
)


def thesaurus() -> dict[str, object]:
    """Return the thesaurus in the structure of the release."""
    concepts = [{"name": n, "type": "boolean", "tool-tip": tip} for n, tip in CONCEPTS]
    choices = [
        {"name": n, "text": n, "activate": active, "value": value, "add_tl_name": "False"}
        for n, active, value in CHOICES
    ]
    dictionary = {
        "timeline": {"name": "Objectification", "version": 1},
        "values": [{"group": "Objectification", "values": concepts}],
        "anot_choices": choices,
    }
    return {"metadata": {"creator": "Gazeline sample corpus"}, "dictionaries": [dictionary]}
