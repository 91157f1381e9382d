// A worker with Python in it. Each message is a call of a function of playground.py: {id, call, args}; it answers
// {id, value} or {id, error}, and in between {id, note}.

const here = new URL("./", import.meta.url).href;
const ready = start();

async function start() {
  const { loadPyodide } = await import(`${here}pyodide/pyodide.mjs`);
  const [python, packages] = await Promise.all([
    loadPyodide({ indexURL: `${here}pyodide/` }),
    fetch(`${here}packages.zip`).then((response) => response.arrayBuffer()),
  ]);
  python.unpackArchive(packages, "zip", { extractDir: "/playground" });
  return python.runPython(`
import sys
sys.path.insert(0, "/playground")
import json, levels, playground
session = playground.Session()
calls = {name: getattr(session, name) for name in ("load", "deal", "replay", "fire", "step", "undo", "run", "completions")}
calls |= {"check": playground.check, "fitted": playground.fitted_svg, "judge": levels.judge}

def answer(call, arguments, notify):
    given = json.loads(arguments)
    noted = (notify,) if call == "check" else ()
    return json.dumps(calls[call](*given, *noted))

answer
`);
}

onmessage = async ({ data: { id, call, args } }) => {
  try {
    const answer = await ready;
    if (call === "start") return postMessage({ id, value: null });
    const value = JSON.parse(answer(call, JSON.stringify(args), (note) => postMessage({ id, note })));
    postMessage({ id, value });
  } catch (error) {
    postMessage({ id, error: String(error.message ?? error) });
  }
};
