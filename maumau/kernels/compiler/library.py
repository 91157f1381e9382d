"""The functions of the C library that LLVM calls to fill and to copy memory."""

LIBRARY = """
define hidden ptr @memset(ptr %to, i32 %value, i64 %size) #0 {
  %byte = trunc i32 %value to i8
  %end = call { i64, ptr } asm sideeffect "rep stosb", "={rcx},={rdi},0,1,{al},~{memory}"(i64 %size, ptr %to, i8 %byte)
  ret ptr %to
}
define hidden ptr @memcpy(ptr %to, ptr %of, i64 %size) #0 {
  %end = call { i64, ptr, ptr } asm sideeffect "rep movsb", "={rcx},={rdi},={rsi},0,1,2,~{memory}"(
    i64 %size, ptr %to, ptr %of)
  ret ptr %to
}
attributes #0 = { noinline nounwind "no-builtins" }
"""
