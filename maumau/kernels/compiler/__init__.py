"""The compiler: generates Python source from a declaration and compiles it to machine code.

A kernel calls the same rule functions as the stepped machine. This package depends on no game and on none of its
callers.
"""
