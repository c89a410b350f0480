"""Pictures with transparency, split once so that pasting them converts nothing."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image


@dataclass(frozen=True)
class Cutout:
    """A picture (RGB) and how much of it covers what is behind (L)."""

    picture: Image.Image
    mask: Image.Image

    @classmethod
    def of(cls, rgba: Image.Image) -> Cutout:
        """Split an RGBA picture."""
        return cls(rgba.convert("RGB"), rgba.getchannel("A"))

    def part(self, box: tuple[int, int, int, int]) -> Cutout:
        """Return the part inside a box (left, top, right, bottom)."""
        return Cutout(self.picture.crop(box), self.mask.crop(box))

    def paste_on(self, frame: Image.Image, left: int, top: int) -> None:
        """Lay the picture over `frame`, in place."""
        frame.paste(self.picture, (left, top), self.mask)
