"""The error of drawing a diagram."""


class DiagramError(RuntimeError):
    """No program that draws pictures is installed; the message says what to install."""
