// Reads diagrams with Mermaid's own parser: of each JSON text in a line of the input, the states with their
// descriptions and the transitions, or why it is refused, as JSON in a line of the output.
import { JSDOM } from "jsdom";
import { createInterface } from "node:readline";

const { window } = new JSDOM("");
Object.assign(globalThis, { window, document: window.document });
const { default: mermaid } = await import("mermaid");
await mermaid.parse("stateDiagram-v2\n  a --> b");

for await (const line of createInterface({ input: process.stdin })) {
  try {
    const { db } = await mermaid.mermaidAPI.getDiagramFromText(JSON.parse(line));
    const states = [...db.getStates()].map(([name, state]) => [name, state.descriptions]);
    const transitions = db.getRelations().map(({ id1, id2, relationTitle }) => [id1, id2, relationTitle]);
    console.log(JSON.stringify({ states, transitions }));
  } catch (error) {
    console.log(JSON.stringify({ refused: String(error) }));
  }
}
process.exit();
