"""The vocabularies of the tiny text encoders, built in code."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
ENDINGS = ("s", "es", "ed", "er", "est", "ing", "ly", "ion", "al", "y", "n", "t", "d", "ness")
WORDS = """
a about after again all always am an and any anything are around as ask at away baby back bad be
beautiful because bed been before behind believe best better big black blue body book boy
brother but buy by call came can car care chair children city clothes cold come could dance dark
daughter day dead dear did die dinner do doctor does done door down dress drink drive each eat
else end enough even ever every everything eyes face family far fast father feel few fight film
find fine first for found four friend from front gave get girl give glad go going gone good got
great green had hair half hand happy hard has hat have he head hear heart hello help her here
hey hi him his hold home hope hot hour house how hundred husband i if in inside into is it job
just keep kid kill kind kiss knew know lady last late laugh leave left less let life light like
listen little live long look lost love made make man many marry may maybe me mean men might mind
minute miss moment money more morning most mother mouth move much music must my name need never
new next nice night no not nothing now of off oh okay old on once one only open or other our out
outside over own part party people perhaps phone place play please pretty put quick quiet rain
read ready real red remember right room run sad said same saw say school sea see seem seen send
she shoes should show shut side sing sister sit sleep slow small smile so some someone something
son song soon sorry sound speak stand stay stop story street strong such summer sure table take
talk tell than thank that the their them then there these they thing think this those thought
three through time tired to today together told tomorrow tonight too took town train tree true
try turn two under until up us use very voice wait walk wall want war warm was watch water way
we wear week well went were what when where which white who why wife will wind window wine
winter with without woman women word work world would write wrong year yellow yes yesterday yet
you young your
"""


def wordpieces() -> list[str]:
    """Return a WordPiece vocabulary that can spell any text in ASCII, without repetition."""
    characters = sorted(string.ascii_lowercase + string.digits)
    pieces = [*SPECIAL_TOKENS, *characters, *sorted(string.punctuation)]
    pieces += [f"##{character}" for character in characters]
    pieces += [f"##{ending}" for ending in ENDINGS if len(ending) > 1]
    pieces += [word for word in WORDS.split() if len(word) > 1]
    return list(dict.fromkeys(pieces))


def word_merges(words: Sequence[str]) -> list[tuple[str, str]]:
    """Return byte-pair merges, in order, that make one token of each word.

    Args:
        words: ASCII words without repetition.
    """
    spelt = [[*word[:-1], f"{word[-1]}</w>"] for word in words]
    merges = []
    while any(len(parts) > 1 for parts in spelt):
        pairs = Counter(pair for parts in spelt for pair in pairwise(parts))
        # The most frequent pair, the first of the alphabet among equals.
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(best)
        spelt = [_merged(parts, best) for parts in spelt]
    return merges


def _merged(parts: Sequence[str], pair: tuple[str, str]) -> list[str]:
    merged: list[str] = []
    for part in parts:
        # What was merged just now ends in `pair[0]` too, but is longer.
        if part == pair[1] and merged and merged[-1] == pair[0]:
            merged[-1] += part
        else:
            merged.append(part)
    return merged


def clip_vocabulary(merges: Sequence[tuple[str, str]]) -> dict[str, int]:
    """Return a CLIP vocabulary: each byte, inside and at the end of a word, and each merge."""
    from tokenizers.pre_tokenizers import ByteLevel

    alphabet = sorted(ByteLevel.alphabet())
    tokens = [*alphabet, *(f"{letter}</w>" for letter in alphabet)]
    tokens += [first + second for first, second in merges]
    # X-CLIP takes the token of the highest number for the end of a text.
    tokens += ["<|startoftext|>", "<|endoftext|>"]
    return {token: index for index, token in enumerate(dict.fromkeys(tokens))}
