"""The error of drawing a diagram."""


class DiagramError(RuntimeError):
    """No program that draws pictures is installed; the message names what to install."""
