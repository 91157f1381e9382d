"""Source of programs written as LLVM text."""
