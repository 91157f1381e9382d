// Compiles what the page imports when it starts, with the Python that will import it: files of a ZIP archive of
// packages, which are packed in one piece, and files of the standard library, in its archive.
// node compile.mjs ARCHIVE FILE.tar.gz STDLIB.zip. The first result takes half the processor time.

import { readFileSync, writeFileSync } from "node:fs";
import { loadPyodide } from "pyodide";

const [archive, file, library] = process.argv.slice(2);
const python = await loadPyodide();
python.unpackArchive(new Uint8Array(readFileSync(archive)), "zip", { extractDir: "/packages" });
python.runPython(`
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, "/packages")
import json, tarfile
import playground

with open("/packages/texts/turnstile.py") as text:
    playground.Session().load(text.read())
used = {name: file for name, module in sys.modules.items() if (file := getattr(module, "__file__", None))}

import gzip, importlib.util, marshal, py_compile, zipfile

def compiled(source, name):
    head = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + importlib.util.source_hash(source)
    return head + marshal.dumps(compile(source, name, "exec", dont_inherit=True, optimize=2))  # without docstrings

for file in used.values():
    if file.startswith("/packages/"):
        py_compile.compile(file, dfile=file.replace("/packages", "/playground", 1), doraise=True,
                           invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)

def timeless(entry):
    entry.mtime = 0
    return entry

with gzip.GzipFile("/compiled", "wb", 9, mtime=0) as packed, tarfile.open(fileobj=packed, mode="w") as tar:
    tar.add("/packages", ".", filter=timeless)

library, = (path for path in sys.path if path.endswith(".zip"))
with zipfile.ZipFile(library) as given, zipfile.ZipFile("/library", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as written:
    for name in given.namelist():
        content, file = given.read(name), f"{library}/{name}"
        if file in used.values():
            name, content = name + "c", compiled(content, file)
        written.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
`);
writeFileSync(file, python.FS.readFile("/compiled"));
writeFileSync(library, python.FS.readFile("/library"));
