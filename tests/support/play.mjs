// Plays decks with a WebAssembly module of lanes: node play.mjs MODULE DECKS GAMES CARDS PLAYERS SEED FIRST
// It writes results and scores.
import { readFileSync, writeSync } from "node:fs";

const [file, deckFile, games, cards, players, seed, first] = [...process.argv.slice(2, 4), ...process.argv.slice(4).map(Number)];
const decks = readFileSync(deckFile);
const sizes = { decks: games * cards, results: games * 24, scores: games * players * 4, left: games * 8 };
const memory = new WebAssembly.Memory({ initial: 1 });
const { instance } = await WebAssembly.instantiate(readFileSync(file), { env: { __linear_memory: memory } });
const at = {};
let end = instance.exports.free.value;
for (const [name, size] of Object.entries({ ...sizes, room: instance.exports.room.value })) {
  at[name] = Math.ceil(end / 64) * 64;
  end = at[name] + size;
}
memory.grow(Math.ceil(end / 65536));
const bytes = new Uint8Array(memory.buffer);
bytes.set(decks, at.decks);
const left = instance.exports.play(
  at.decks, BigInt(seed), BigInt(first), BigInt(games), at.results, at.scores, 0, 0, 0, at.left, at.room);
if (left !== 0n) throw new Error(`${left} games left`);
writeSync(1, bytes.subarray(at.results, at.results + sizes.results));
writeSync(1, bytes.subarray(at.scores, at.scores + sizes.scores));
