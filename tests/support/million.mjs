// Adds up games with a WebAssembly kernel as the playground does: node million.mjs MODULE < JSON
// of players, seed, games, counters and result. It writes the counters.
import { readFileSync } from "node:fs";
import { Kernel } from "../../playground/src/kernel.js";

const { players, seed, games, counters, result } = JSON.parse(readFileSync(0, "utf-8"));
const kernel = await Kernel.of(readFileSync(process.argv[2]), players, counters, result);
console.log(JSON.stringify(kernel.total(seed, games)));
