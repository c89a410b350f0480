"""Shots: which place, camera move and people make an event visible."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from gazeline.params.sample import SampleParams
from gazeline.sample.catalogue import FPS, FilmFacts
from gazeline.sample.copies import Edit, edit_of
from gazeline.sample.figures import Action, Costume
from gazeline.sample.palettes import CRIMSON, SCARLET, Colour
from gazeline.sample.story import Event, FilmStory, rng_of

TITLE_SHARE = 0.7
LONG_SHOT_S = 2.6
# Share of the frame kept free above tall people, so that no zoom cuts their heads.
HEADROOM = 0.08
# The backdrop of a scene that only the copy has.
INSERTED_VARIANT = 90

CLOTHS: tuple[Colour, ...] = (
    (36, 84, 190),
    (30, 136, 84),
    (214, 184, 60),
    (110, 60, 160),
    (236, 236, 228),
    (52, 160, 176),
    (84, 92, 104),
    (130, 104, 72),
    (30, 34, 52),
)
HAIR: tuple[Colour, ...] = ((34, 24, 20), (92, 62, 38), (186, 152, 86), (120, 116, 116))
SKIN: tuple[Colour, ...] = ((236, 206, 180), (196, 152, 116), (134, 94, 68), (92, 64, 48))


@dataclass(frozen=True)
class Actor:
    """Somebody in a shot: height and x are shares of the frame, feet stand at `ground`."""

    costume: Costume
    height: float
    x_from: float
    x_to: float
    ground: float
    action: Action
    phase: float


@dataclass(frozen=True)
class Camera:
    """A move over a shot: pan in [0, 1] of the backdrop, zoom from 1 (all) inwards."""

    pan_from: float
    pan_to: float
    zoom_from: float
    zoom_to: float


@dataclass(frozen=True)
class Shot:
    """`n_frames` of one place; a `title` or `logo` shows lettering instead."""

    kind: Literal["scene", "title", "logo"]
    n_frames: int
    setting: str
    palette: str
    variant: int
    camera: Camera
    actors: tuple[Actor, ...] = ()
    lettering: tuple[str, ...] = ()


def reel(story: FilmStory, params: SampleParams) -> tuple[Shot, ...]:
    """Return the shots of a film's copy, in order: logo, film, inserted scene."""
    rng = rng_of(params.seed, story.facts, 30)
    edit = edit_of(story, params.seconds)
    return tuple(_reel(story, edit, rng))


def _reel(story: FilmStory, edit: Edit, rng: np.random.Generator) -> Iterator[Shot]:
    facts = story.facts
    if edit.logo_frames:
        lettering = ("GAZELINE", "PICTURES")
        yield Shot("logo", edit.logo_frames, "", "night", 0, _still(), lettering=lettering)
    for number, event in enumerate(story.events):
        if event.start_frame == edit.cut_frame:
            yield from _inserted_scene(edit, rng)
        yield from _event_shots(event, number, facts, rng)


def _still() -> Camera:
    return Camera(0.5, 0.5, 1.0, 1.06)


def _inserted_scene(edit: Edit, rng: np.random.Generator) -> Iterator[Shot]:
    """Show a place and people that the annotated version never shows."""
    half = edit.inserted_frames // 2
    for n_frames, setting in ((half, "hills"), (edit.inserted_frames - half, "station")):
        actors = (_passer_by(rng), _passer_by(rng))
        yield Shot("scene", n_frames, setting, "spring", INSERTED_VARIANT, _camera(rng), actors)


def _event_shots(
    event: Event, number: int, facts: FilmFacts, rng: np.random.Generator
) -> Iterator[Shot]:
    if event.title:
        shown = round(event.n_frames * TITLE_SHARE)
        lettering = (facts.title, str(facts.year))
        yield Shot("title", shown, "", facts.palette, 0, _still(), lettering=lettering)
        yield _scene(event, event.n_frames - shown, facts.settings[0], number, facts, rng)
        return
    settings = [facts.settings[i] for i in rng.permutation(len(facts.settings))]
    n_shots = 2 if event.n_frames / FPS > LONG_SHOT_S else 1
    first = round(event.n_frames * (rng.uniform(0.4, 0.6) if n_shots == 2 else 1))
    lengths = [first, event.n_frames - first][:n_shots]
    for n_frames, setting in zip(lengths, settings[:n_shots], strict=True):
        yield _scene(event, n_frames, setting, number, facts, rng)


def _scene(
    event: Event,
    n_frames: int,
    setting: str,
    number: int,
    facts: FilmFacts,
    rng: np.random.Generator,
) -> Shot:
    cast = [_passer_by(rng) for _ in range(int(rng.integers(1, 3)))]
    if event.visual:
        onlooker = replace(cast[0], x_from=0.08, x_to=0.12, action="stand")
        cast = [onlooker, _woman_in_red(rng)]
    variant = facts.movie_id * 10 + number % 3
    return Shot("scene", n_frames, setting, facts.palette, variant, _camera(rng), tuple(cast))


def _camera(rng: np.random.Generator) -> Camera:
    pan = rng.uniform(0.1, 0.9)
    across = float(np.clip(pan + rng.choice([-1, 1]) * rng.uniform(0.15, 0.4), 0, 1))
    near, far = sorted(rng.uniform(1.0, 1.25, 2))
    zooms = (near, far) if rng.random() < 0.5 else (far, near)
    return Camera(float(pan), across, float(zooms[0]), float(zooms[1]))


def _woman_in_red(rng: np.random.Generator) -> Actor:
    """Return the planted cue: large, red, never still."""
    hair, skin = _one(HAIR, rng), _one(SKIN, rng)
    costume = Costume("dress", SCARLET, CRIMSON, hair, skin, cape=True)
    height = float(rng.uniform(1.0, 1.25))
    action: Action = "dance" if rng.random() < 0.6 else "walk"
    x = float(rng.uniform(0.38, 0.62))
    drift = float(rng.uniform(-0.12, 0.12))
    ground = height + HEADROOM
    return Actor(costume, height, x, x + drift, ground, action, float(rng.random()))


def _passer_by(rng: np.random.Generator) -> Actor:
    """Return anybody else: of any size and colour but red."""
    dressed = rng.random() < 0.5
    cloth = _one(CLOTHS, rng)
    trim = _one(CLOTHS, rng)
    costume = Costume(
        "dress" if dressed else "coat",
        cloth,
        trim,
        _one(HAIR, rng),
        _one(SKIN, rng),
        cape=bool(dressed and rng.random() < 0.5),
    )
    height = float(rng.uniform(0.55, 1.25))
    actions: tuple[Action, ...] = ("walk", "dance", "stand")
    action = actions[int(rng.integers(3))]
    x_from = float(rng.uniform(0.1, 0.9))
    walks = action == "walk"
    x_to = x_from + float(rng.uniform(0.25, 0.6)) * (1 if x_from < 0.5 else -1) * walks
    ground = max(0.96, height + HEADROOM)
    return Actor(costume, height, x_from, x_to, ground, action, float(rng.random()))


def _one(colours: tuple[Colour, ...], rng: np.random.Generator) -> Colour:
    return colours[int(rng.integers(len(colours)))]
