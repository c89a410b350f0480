"""Frames of a reel: layers, people, camera, vignette and caption put together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np
from PIL import Image

from gazeline.sample.figures import CANVAS_WIDTH, POSES, poses
from gazeline.sample.lettering import caption, logo_card, title_card, turning_star
from gazeline.sample.scenery import HEIGHT, WIDTH, backdrop
from gazeline.sample.staging import Actor, Camera, Shot
from gazeline.sample.story import Cue

# Poses a second; drawn "on twos", as in hand animation.
POSES_PER_FRAME = 0.5
FADE_FRAMES = 10
CAPTION_MARGIN = 6


def render(
    shots: Sequence[Shot], cues: Sequence[Cue], fps: Fraction, boxed_captions: bool
) -> Iterator[bytes]:
    """Yield every frame of a copy as raw RGB, HEIGHT × WIDTH × 3 bytes.

    Args:
        cues: lines to caption, copy clock; none leaves the picture clean.
    """
    number = 0
    for shot in shots:
        for i in range(shot.n_frames):
            frame = _composed(shot, i)
            line = _line_at(cues, float(1000 * number / fps))
            if line:
                strip = caption(line, boxed_captions)
                strip.paste_on(frame, 0, HEIGHT - strip.picture.height - CAPTION_MARGIN)
            yield frame.tobytes()
            number += 1


def _line_at(cues: Sequence[Cue], time_ms: float) -> str | None:
    return next((c.text for c in cues if c.start_ms <= time_ms < c.end_ms), None)


def _composed(shot: Shot, i: int) -> Image.Image:
    share = i / max(1, shot.n_frames - 1)
    if shot.kind == "title":
        frame = title_card(shot.palette, shot.lettering).copy()
    elif shot.kind == "logo":
        frame = logo_card(shot.lettering).copy()
        turning_star(frame, share)
    else:
        frame = _scene(shot, share, i)
    frame = _zoomed(frame, shot.camera, share)
    frame.paste((0, 0, 0), mask=_vignette())
    if shot.kind != "scene" and i < FADE_FRAMES:
        frame = frame.point([round(v * (i + 1) / FADE_FRAMES) for v in range(256)] * 3)
    return frame


def _scene(shot: Shot, share: float, i: int) -> Image.Image:
    place = backdrop(shot.setting, shot.palette, shot.variant)
    pan = shot.camera.pan_from + (shot.camera.pan_to - shot.camera.pan_from) * share
    frame = place.far.crop(_view(place.far, pan))
    for layer in (place.mid, place.near):
        layer.part(_view(layer.picture, pan)).paste_on(frame, 0, 0)
    for actor in shot.actors:
        _enter(frame, actor, share, i)
    return frame


def _view(layer: Image.Image, pan: float) -> tuple[int, int, int, int]:
    left = round((layer.width - WIDTH) * pan)
    return left, 0, left + WIDTH, HEIGHT


def _enter(frame: Image.Image, actor: Actor, share: float, i: int) -> None:
    height = round(actor.height * HEIGHT)
    cycle = poses(actor.costume, height, actor.action)
    sprite = cycle[int(actor.phase * POSES + i * POSES_PER_FRAME) % POSES]
    x = (actor.x_from + (actor.x_to - actor.x_from) * share) * WIDTH
    left = round(x - height * CANVAS_WIDTH / 2)
    sprite.paste_on(frame, left, round(actor.ground * HEIGHT) - height)


def _zoomed(frame: Image.Image, camera: Camera, share: float) -> Image.Image:
    zoom = camera.zoom_from + (camera.zoom_to - camera.zoom_from) * share
    wide, tall = WIDTH / zoom, HEIGHT / zoom
    left, top = (WIDTH - wide) / 2, (HEIGHT - tall) * 0.45
    box = (left, top, left + wide, top + tall)
    return frame.resize((WIDTH, HEIGHT), Image.Resampling.BILINEAR, box=box)


@lru_cache(maxsize=1)
def _vignette() -> Image.Image:
    """Return how much each pixel darkens towards the corners."""
    y, x = np.mgrid[-1 : 1 : HEIGHT * 1j, -1 : 1 : WIDTH * 1j]
    dark = np.clip((x**2 + y**2 - 0.7) * 70, 0, 95)
    return Image.fromarray(dark.astype(np.uint8))
