"""Runs the PTX of lanes on a graphics processor, through the driver interface of CUDA.

The functions and their numbers are those of the CUDA Driver API Reference, chapter 6, and of cuda.h.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.measuring import CannotMeasureError, wall_time
from maumau.kernels.compiler.results import Results, blank_rows
from rules.ending import Ending

if TYPE_CHECKING:
    from maumau.kernels.compiler.results import Array

DRIVER = "libcuda.so.1"
BLOCK = 128
"""Threads of a block."""
BLOCKS = 8
"""Blocks for each multiprocessor: the kernel takes up to 64 registers a thread, with which so many run at once."""
MULTIPROCESSORS, MAJOR, MINOR = 16, 75, 76
"""Attributes of a device: how many multiprocessors it has, and its compute capability."""
ERROR_LOG, ERROR_LOG_SIZE = 5, 6
"""Options of the compiler of PTX: where it writes its errors, and how many bytes it may."""
LOG_BYTES = 1 << 14
NAME_BYTES = 256

ADDRESS = c_uint64
"""An address in the memory of the device: CUdeviceptr."""
HANDLE = c_void_p
"""A CUcontext, CUmodule, CUfunction or CUstream."""
FUNCTIONS: dict[str, Sequence[Any]] = {
    "cuInit": (c_uint,),
    "cuGetErrorString": (c_int, POINTER(c_char_p)),
    "cuDeviceGetCount": (POINTER(c_int),),
    "cuDeviceGet": (POINTER(c_int), c_int),
    "cuDeviceGetName": (c_char_p, c_int, c_int),
    "cuDeviceGetAttribute": (POINTER(c_int), c_int, c_int),
    "cuDevicePrimaryCtxRetain": (POINTER(HANDLE), c_int),
    "cuDevicePrimaryCtxRelease_v2": (c_int,),
    "cuCtxSetCurrent": (HANDLE,),
    "cuCtxSynchronize": (),
    "cuModuleLoadDataEx": (POINTER(HANDLE), c_char_p, c_uint, POINTER(c_int), POINTER(c_void_p)),
    "cuModuleGetFunction": (POINTER(HANDLE), HANDLE, c_char_p),
    "cuModuleUnload": (HANDLE,),
    "cuMemAlloc_v2": (POINTER(ADDRESS), c_size_t),
    "cuMemFree_v2": (ADDRESS,),
    "cuMemcpyHtoD_v2": (ADDRESS, c_void_p, c_size_t),
    "cuMemcpyDtoH_v2": (c_void_p, ADDRESS, c_size_t),
    "cuLaunchKernel": (HANDLE, *[c_uint] * 7, HANDLE, POINTER(c_void_p), POINTER(c_void_p)),
}
"""The functions that are called, with the types of their arguments. Each returns a number: 0 for success."""


class DeviceError(RuntimeError):
    """A function of the driver failed."""


class Device:
    """A graphics processor. name: of its kind. multiprocessors: how many it has. capability: its version."""

    def __init__(self, library: Any) -> None:
        """The first device of a driver. Raises CannotMeasureError if there is none, DeviceError if it fails."""
        self._library = library
        for name, arguments in FUNCTIONS.items():
            function = getattr(library, name)
            function.argtypes, function.restype = arguments, c_int
        try:
            self.call("cuInit", 0)
            count = c_int()
            self.call("cuDeviceGetCount", byref(count))
        except DeviceError as error:
            raise CannotMeasureError(str(error)) from None
        if count.value < 1:
            raise CannotMeasureError("the CUDA driver finds no device")
        device, text, self._context = c_int(), ctypes.create_string_buffer(NAME_BYTES), HANDLE()
        self.call("cuDeviceGet", byref(device), 0)
        self._device = device.value
        self.call("cuDeviceGetName", text, NAME_BYTES, self._device)
        self.name = text.value.decode()
        self.multiprocessors = self._attribute(MULTIPROCESSORS)
        self.capability = f"{self._attribute(MAJOR)}.{self._attribute(MINOR)}"
        self.call("cuDevicePrimaryCtxRetain", byref(self._context), self._device)
        self.call("cuCtxSetCurrent", self._context)

    def close(self) -> None:
        """Release the device."""
        self.call("cuDevicePrimaryCtxRelease_v2", self._device)

    def call(self, name: str, *arguments: Any) -> None:
        """Call a function of the driver. Raises DeviceError, with the driver's words for its number."""
        if status := getattr(self._library, name)(*arguments):
            text = c_char_p()
            self._library.cuGetErrorString(status, byref(text))
            raise DeviceError(f"{name}: error {status}, {(text.value or b'unknown').decode()}")

    def _attribute(self, number: int) -> int:
        found = c_int()
        self.call("cuDeviceGetAttribute", byref(found), number, self._device)
        return found.value

    @contextmanager
    def kernel(self, ptx: str, name: str) -> Iterator[HANDLE]:
        """A kernel of a module. Raises DeviceError, with the errors of the compiler of PTX."""
        module, function, log = HANDLE(), HANDLE(), ctypes.create_string_buffer(LOG_BYTES)
        options = (c_int * 2)(ERROR_LOG, ERROR_LOG_SIZE)
        values = (c_void_p * 2)(ctypes.addressof(log), LOG_BYTES)
        try:
            self.call("cuModuleLoadDataEx", byref(module), ptx.encode(), len(options), options, values)
        except DeviceError as error:
            raise DeviceError(f"{error}\n{log.value.decode(errors='replace')}".rstrip()) from None
        try:
            self.call("cuModuleGetFunction", byref(function), module, name.encode())
            yield function
        finally:
            self.call("cuModuleUnload", module)

    @contextmanager
    def memory(self, size: int) -> Iterator[int]:
        """The address of so many bytes of the device's memory."""
        address = ADDRESS()
        self.call("cuMemAlloc_v2", byref(address), max(size, 1))
        try:
            yield address.value
        finally:
            self.call("cuMemFree_v2", address.value)

    @contextmanager
    def copied(self, rows: Array) -> Iterator[int]:
        """The address of a copy of an array in the device's memory."""
        with self.memory(rows.nbytes) as address:
            self.call("cuMemcpyHtoD_v2", address, rows.ctypes.data, rows.nbytes)
            yield address

    def read(self, rows: Array, address: int) -> None:
        """Read an array from the device's memory."""
        self.call("cuMemcpyDtoH_v2", rows.ctypes.data, address, rows.nbytes)

    def launch(self, kernel: HANDLE, blocks: int, arguments: Sequence[int]) -> None:
        """Run a kernel whose arguments are words of 64 bits, and wait until it is done."""
        words = [c_uint64(argument) for argument in arguments]
        addresses = (c_void_p * len(words))(*(ctypes.addressof(word) for word in words))
        self.call("cuLaunchKernel", kernel, blocks, 1, 1, BLOCK, 1, 1, 0, None, addresses, None)
        self.call("cuCtxSynchronize")


def first_device(driver: str = DRIVER) -> Device:
    """The first graphics processor of this machine. Raises CannotMeasureError with the reason if there is none."""
    try:
        library = ctypes.CDLL(driver)
    except OSError:
        raise CannotMeasureError(f"no CUDA driver: {driver} cannot be loaded") from None
    return Device(library)


class GamesOnDevice:
    """Decks, and room for their results, in the memory of a device."""

    def __init__(self, device: Device, kernel: HANDLE, players: int, decks: Array, memory: Sequence[int]) -> None:
        """memory: the addresses of decks, results, scores, numbers of games that left, and how many of each thread."""
        self.device, self.kernel, self.players, self.memory = device, kernel, players, memory
        self.games = len(decks)
        self.blocks = min(device.multiprocessors * BLOCKS, -(-self.games // BLOCK))

    def play(self, seed: int = 0, first: int = 0) -> None:
        """Play all games; their results stay on the device. seed, first: deck k has the dice of game first + k."""
        decks, *others = self.memory
        self.device.launch(self.kernel, self.blocks, [decks, seed, first, self.games, *others])

    def seconds(self) -> float:
        """Seconds on the clock that it takes to play all games."""
        return wall_time(self.play)

    def results(self) -> Results:
        """The results. Raises DeviceError if a thread did not play a deck because it is not the whole deck."""
        results, scores = blank_rows(self.games, self.players)
        counts = np.zeros(self.blocks * BLOCK, np.int64)
        for rows, address in zip((results, scores, counts), (*self.memory[1:3], self.memory[4]), strict=True):
            self.device.read(rows, address)
        if (counts < 0).any():
            raise DeviceError("a deck is not the whole deck")
        return Results(results, scores)


@contextmanager
def games_on_device(device: Device, ptx: str, players: int, decks: Array) -> Iterator[GamesOnDevice]:
    """Games with these decks, to be played on a device by the kernel `play_all`."""
    results, scores = blank_rows(len(decks), players)
    results["ending"] = Ending.RUNNING
    left = np.zeros(len(decks), np.int64)
    counts = np.zeros(device.multiprocessors * BLOCKS * BLOCK, np.int64)
    with (
        device.kernel(ptx, "play_all") as kernel,
        device.copied(decks) as first,
        device.copied(results) as second,
        device.copied(scores) as third,
        device.copied(left) as fourth,
        device.copied(counts) as fifth,
    ):
        yield GamesOnDevice(device, kernel, players, decks, (first, second, third, fourth, fifth))
