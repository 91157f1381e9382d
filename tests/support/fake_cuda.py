"""A CUDA driver without a device: its functions are called through C, with the types of cuda.h, and play on this processor."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Sequence
from ctypes import CFUNCTYPE, c_int, c_int32, c_size_t, c_uint, c_uint8, c_uint64, c_void_p
from typing import Any

NO_DEVICE, INVALID_VALUE, INVALID_PTX, NOT_FOUND = 100, 1, 218, 500
TEXTS = {
    NO_DEVICE: b"no CUDA-capable device is detected",
    INVALID_VALUE: b"invalid argument",
    INVALID_PTX: b"a PTX JIT compilation failed",
    NOT_FOUND: b"named symbol not found",
}
ATTRIBUTES = {16: 1, 75: 9, 76: 0}
"""One multiprocessor of compute capability 9.0."""
CONTEXT, MODULE, FUNCTION, DEVICE = 0x7F0000000010, 0x7F0000000020, 0x7F0000000030, 0
Status = Callable[..., int]


def _address_at(address: int) -> Any:
    return c_uint64.from_address(address)


class FakeDriver:
    """A driver with one device, or none. play_part: what a thread of the kernel runs. status: of `cuInit`."""

    def __init__(self, play_part: Callable[..., object], *, devices: int = 1, status: int = 0) -> None:
        self.play_part, self.devices, self.status = play_part, devices, status
        self.memory: dict[int, Any] = {}
        self.open: list[str] = []
        self.parameters = 0
        for name, types in {
            "cuInit": (c_uint,),
            "cuGetErrorString": (c_int, c_void_p),
            "cuDeviceGetCount": (c_void_p,),
            "cuDeviceGet": (c_void_p, c_int),
            "cuDeviceGetName": (c_void_p, c_int, c_int),
            "cuDeviceGetAttribute": (c_void_p, c_int, c_int),
            "cuDevicePrimaryCtxRetain": (c_void_p, c_int),
            "cuDevicePrimaryCtxRelease_v2": (c_int,),
            "cuCtxSetCurrent": (c_void_p,),
            "cuCtxSynchronize": (),
            "cuModuleLoadDataEx": (c_void_p, c_void_p, c_uint, c_void_p, c_void_p),
            "cuModuleGetFunction": (c_void_p, c_void_p, c_void_p),
            "cuModuleUnload": (c_void_p,),
            "cuMemAlloc_v2": (c_void_p, c_size_t),
            "cuMemFree_v2": (c_uint64,),
            "cuMemcpyHtoD_v2": (c_uint64, c_void_p, c_size_t),
            "cuMemcpyDtoH_v2": (c_void_p, c_uint64, c_size_t),
            "cuLaunchKernel": (c_void_p, *[c_uint] * 7, c_void_p, c_void_p, c_void_p),
        }.items():
            setattr(self, name, CFUNCTYPE(c_int, *types)(getattr(self, f"_{name.removesuffix('_v2')}")))

    def _cuInit(self, flags: int) -> int:  # noqa: N802
        return self.status or INVALID_VALUE * (flags != 0)

    def _cuGetErrorString(self, status: int, text: int) -> int:  # noqa: N802
        ctypes.c_char_p.from_address(text).value = TEXTS[status]
        return 0

    def _cuDeviceGetCount(self, count: int) -> int:  # noqa: N802
        c_int32.from_address(count).value = self.devices
        return 0

    def _cuDeviceGet(self, device: int, ordinal: int) -> int:  # noqa: N802
        c_int32.from_address(device).value = DEVICE
        return INVALID_VALUE * (ordinal != 0)

    def _cuDeviceGetName(self, name: int, size: int, device: int) -> int:  # noqa: N802
        text = b"a processor that plays a graphics processor"[: size - 1] + b"\0"
        ctypes.memmove(name, text, len(text))
        return INVALID_VALUE * (device != DEVICE)

    def _cuDeviceGetAttribute(self, found: int, attribute: int, device: int) -> int:  # noqa: N802
        c_int32.from_address(found).value = ATTRIBUTES[attribute]
        return INVALID_VALUE * (device != DEVICE)

    def _cuDevicePrimaryCtxRetain(self, context: int, device: int) -> int:  # noqa: N802
        _address_at(context).value = CONTEXT
        self.open.append("context")
        return INVALID_VALUE * (device != DEVICE)

    def _cuDevicePrimaryCtxRelease(self, device: int) -> int:  # noqa: N802
        self.open.remove("context")
        return INVALID_VALUE * (device != DEVICE)

    def _cuCtxSetCurrent(self, context: int) -> int:  # noqa: N802
        return INVALID_VALUE * (context != CONTEXT)

    def _cuCtxSynchronize(self) -> int:  # noqa: N802
        return 0

    def _cuModuleLoadDataEx(self, module: int, image: int, count: int, options: int, values: int) -> int:  # noqa: N802
        text = ctypes.string_at(image).decode()
        entry = re.search(r"\.visible \.entry play_all\((.*?)\)", text, re.DOTALL)
        if not entry:
            numbers = [c_int32.from_address(options + 4 * place).value for place in range(count)]
            given = dict(zip(numbers, [_address_at(values + 8 * place).value for place in range(count)], strict=True))
            log = b"ptxas fatal: no entry\0"
            assert len(log) <= given[6]
            ctypes.memmove(given[5], log, len(log))
            return INVALID_PTX
        self.parameters = len(re.findall(r"\.param \.u64|\.param \.b64", entry[1]))
        self.open.append("module")
        _address_at(module).value = MODULE
        return 0

    def _cuModuleGetFunction(self, function: int, module: int, name: int) -> int:  # noqa: N802
        _address_at(function).value = FUNCTION
        return NOT_FOUND * (module != MODULE or ctypes.string_at(name) != b"play_all")

    def _cuModuleUnload(self, module: int) -> int:  # noqa: N802
        self.open.remove("module")
        return INVALID_VALUE * (module != MODULE)

    def _cuMemAlloc(self, address: int, size: int) -> int:  # noqa: N802
        memory = (c_uint8 * size)()
        self.memory[ctypes.addressof(memory)] = memory
        _address_at(address).value = ctypes.addressof(memory)
        return INVALID_VALUE * (size == 0)

    def _cuMemFree(self, address: int) -> int:  # noqa: N802
        return INVALID_VALUE * (self.memory.pop(address, None) is None)

    def _cuMemcpyHtoD(self, device: int, host: int, size: int) -> int:  # noqa: N802
        return self._copied(device, device, host, size)

    def _cuMemcpyDtoH(self, host: int, device: int, size: int) -> int:  # noqa: N802
        return self._copied(device, host, device, size)

    def _copied(self, device: int, target: int, source: int, size: int) -> int:
        if size > len(self.memory.get(device, ())):
            return INVALID_VALUE
        ctypes.memmove(target, source, size)
        return 0

    def _cuLaunchKernel(self, function: int, *rest: Any) -> int:  # noqa: N802
        sizes: Sequence[int]
        *sizes, shared, stream, parameters, extra = rest
        blocks, threads = sizes[0], sizes[3]
        if function != FUNCTION or sizes != [blocks, 1, 1, threads, 1, 1] or shared or stream or extra:
            return INVALID_VALUE
        words = [_address_at(_address_at(parameters + 8 * place).value).value for place in range(self.parameters)]
        for thread in range(blocks * threads):
            self.play_part(thread, blocks * threads, *words)
        return 0
