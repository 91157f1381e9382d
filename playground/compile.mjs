// Compiles the Python files of an archive with the Python that will import them: node compile.mjs ARCHIVE.
// The first import of the packages takes half as long.

import { readFileSync, writeFileSync } from "node:fs";
import { loadPyodide } from "pyodide";

const [archive] = process.argv.slice(2);
const python = await loadPyodide();
python.unpackArchive(new Uint8Array(readFileSync(archive)), "zip", { extractDir: "/packages" });
python.runPython(`
import compileall, py_compile, shutil
done = compileall.compile_dir("/packages", quiet=1, stripdir="/packages", prependdir="/playground",
                              invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
assert done, "a file cannot be compiled"
shutil.make_archive("/compiled", "zip", "/packages")
`);
writeFileSync(archive, python.FS.readFile("/compiled.zip"));
