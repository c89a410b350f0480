"""The few looks that the tiny video encoder has words for: drawn clips, and captions of them.

They are drawn here and have nothing of the sample's films but the convention that its looked-at
woman is large and red; the encoder never sees a film before it encodes one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

Pixels = npt.NDArray[np.uint8]
Colour = tuple[int, int, int]

LOOKS: Mapping[str, str] = {
    "woman in red": (
        "red dress skirt heels lingerie bikini clothes costume tight revealing short wet "
        "transparent body bodies naked half bare legs skin cleavage breasts stares look looks "
        "looked looking watches gazes secretly close shot camera glamorous blonde make jewellery "
        "hairdo"
    ),
    "place": ("street city cars landscape room empty object table sea hills beach house sky"),
    "people": "people talk talks film scene opening credits man men him",
    "lying": (
        "pose posture lying bed passively leans sits kneels seductive dances sexy way couple kiss "
        "sex having cooks cleans violence uses"
    ),
    "face": "cries screams fear hysterical calm smiles shyly tears emotion face",
}
"""The words that a look is told by."""
FILLERS = (
    "a an the of in on with and or at from to is by without her his that does not fit towards "
    "beside woman women heavy high"
)
"""Words that any look is told with."""
SIZE = 64
FLESH: Colour = (200, 160, 130)

Artist = Callable[[ImageDraw.ImageDraw, float], None]


def words() -> list[str]:
    """Return every word that a caption may hold, sorted."""
    return sorted(set(" ".join([FILLERS, *LOOKS.values()]).split()))


def captions(look: str, n: int, rng: np.random.Generator) -> list[str]:
    """Return `n` captions of a look: one to three of its words among fillers, in any order."""
    return [" ".join(_caption(look, rng)) for _ in range(n)]


def _caption(look: str, rng: np.random.Generator) -> Sequence[str]:
    told = rng.choice(LOOKS[look].split(), rng.integers(1, 4))
    among = rng.choice(FILLERS.split(), rng.integers(1, 6))
    mixed: Sequence[str] = rng.permutation(np.concatenate([told, among])).tolist()
    return mixed


def clips(look: str, n: int, n_frames: int, size: int, rng: np.random.Generator) -> Pixels:
    """Draw `n` clips of a look before anything, shape [n, n_frames, size, size, 3]."""
    return np.stack([np.stack(list(_clip(look, n_frames, size, rng))) for _ in range(n)])


def _clip(look: str, n_frames: int, size: int, rng: np.random.Generator) -> Iterator[Pixels]:
    """Draw a place, somebody in it (or nobody) and what the look adds, which moves sideways."""
    canvas = _place(rng)
    if look != "place":
        _passer_by(ImageDraw.Draw(canvas), rng)
    artist = _ARTISTS[look](rng)
    x, way = rng.uniform(0.3, 0.7) * SIZE, rng.uniform(-0.3, 0.3) * SIZE
    for number in range(n_frames):
        frame = canvas.copy()
        artist(ImageDraw.Draw(frame), x + way * number / n_frames)
        yield np.asarray(frame.resize((size, size), Image.Resampling.BILINEAR))


def _place(rng: np.random.Generator) -> Image.Image:
    """Paint a gradient between two colours with a few blocks before it."""
    top, low = rng.integers(20, 250, (2, 3))
    share = np.linspace(0, 1, SIZE)[:, None, None]
    rows = np.broadcast_to(top * (1 - share) + low * share, (SIZE, SIZE, 3))
    canvas = Image.fromarray(np.ascontiguousarray(rows.astype(np.uint8)))
    for _ in range(int(rng.integers(1, 5))):
        left, upper = (int(v) for v in rng.integers(0, SIZE, 2))
        wide, tall = (int(v) for v in rng.integers(4, 30, 2))
        box = (left, upper, left + wide, upper + tall)
        ImageDraw.Draw(canvas).rectangle(box, fill=_colour(rng))
    return canvas


def _passer_by(draw: ImageDraw.ImageDraw, rng: np.random.Generator) -> None:
    x, height = rng.uniform(0.1, 0.9) * SIZE, rng.uniform(0.4, 1.1) * SIZE
    _person(draw, x, height, 0.2, _colour(rng))


def _woman_in_red(rng: np.random.Generator) -> Artist:
    height = rng.uniform(0.75, 1.2) * SIZE
    red = (int(rng.integers(180, 240)), int(rng.integers(0, 40)), int(rng.integers(0, 50)))
    return lambda draw, x: _person(draw, x, height, 0.5, red)


def _nothing(_: np.random.Generator) -> Artist:
    return lambda draw, x: None


def _lying(rng: np.random.Generator) -> Artist:
    colour = _colour(rng)
    return lambda draw, x: draw.ellipse((x - 30, 40, x + 30, 60), fill=colour)


def _face(_: np.random.Generator) -> Artist:
    return lambda draw, x: draw.ellipse((x - 25, 5, x + 25, 60), fill=FLESH)


_ARTISTS: Mapping[str, Callable[[np.random.Generator], Artist]] = {
    "woman in red": _woman_in_red,
    "place": _nothing,
    "people": _nothing,
    "lying": _lying,
    "face": _face,
}


def _person(
    draw: ImageDraw.ImageDraw, x: float, height: float, width: float, colour: Colour
) -> None:
    """Draw a wide gown and a head; feet stand a little below the frame."""
    foot = height + 0.08 * SIZE
    hem = ((x, foot - 0.85 * height), (x - width * height, foot), (x + width * height, foot))
    draw.polygon(hem, fill=colour)
    head = (x - 0.09 * height, foot - height, x + 0.09 * height, foot - 0.8 * height)
    draw.ellipse(head, fill=FLESH)


def _colour(rng: np.random.Generator) -> Colour:
    """Return any colour but a red."""
    while True:
        red, green, blue = (int(v) for v in rng.integers(0, 256, 3))
        if red <= max(green, blue) + 50:
            return red, green, blue
