"""The error of drawing a diagram."""

from rules.errors import Explained


class DiagramError(Explained, RuntimeError):
    """No program that draws pictures is installed; the message names what to install."""
