// A worker with Python in it. Each message is a call of a function of playground.py: {id, call, args}; it answers
// {id, value} or {id, error}, and in between {id, note}.

import { Kernel } from "./kernel.js";

const here = new URL("./", import.meta.url).href;
const ready = start();

async function start() {
  const { loadPyodide } = await import(`${here}pyodide/pyodide.mjs`);
  const [python, packages] = await Promise.all([
    loadPyodide({ indexURL: `${here}pyodide/` }),
    fetch(`${here}packages.tar.gz`).then((response) => response.arrayBuffer()),
  ]);
  python.unpackArchive(packages, "gztar", { extractDir: "/playground" });
  return python.runPython(`
import sys
sys.path.insert(0, "/playground")
import importlib, json, playground
session = playground.Session()
calls = {name: getattr(session, name) for name in ("load", "deal", "replay", "fire", "step", "undo", "run", "completions")}
calls |= {"check": playground.check, "fitted": playground.fitted_svg}
later = {"judge": "levels", "asked": "million", "counted": "million"}

def answer(call, arguments, notify):
    if call in later:
        calls[call] = getattr(importlib.import_module(later.pop(call)), call)
    given = json.loads(arguments)
    noted = (notify,) if call == "check" else ()
    return json.dumps(calls[call](*given, *noted))

answer
`);
}

// Plays games of a text with the kernel that was made ahead for it, if there is one.
async function many(ask, given, note) {
  const [, players, seed, games] = given;
  const asked = ask("asked", given);
  if (asked.error) return asked;
  const response = await fetch(`${here}kernels/${asked.key}.wasm`);
  if (!response.ok) throw new Error("the kernel cannot be loaded");
  const kernel = await Kernel.of(await response.arrayBuffer(), players, asked.counters, asked.result);
  const start = performance.now();
  const words = kernel.total(seed, games, (done) => note(`${done.toLocaleString("en")} games …`));
  const seconds = (performance.now() - start) / 1000;
  return { ...ask("counted", [given[0], words, players, seed, games]), seconds };
}

onmessage = async ({ data: { id, call, args } }) => {
  try {
    const answer = await ready;
    if (call === "start") return postMessage({ id, value: null });
    const note = (text) => postMessage({ id, note: text });
    const ask = (name, given) => JSON.parse(answer(name, JSON.stringify(given), note));
    postMessage({ id, value: call === "many" ? await many(ask, args, note) : ask(call, args) });
  } catch (error) {
    postMessage({ id, error: String(error.message ?? error) });
  }
};
