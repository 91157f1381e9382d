"""Programs compiled without numba: their source is written as LLVM text."""
