// Plays decks with a WebAssembly module of lanes: node play.mjs MODULE DECKS GAMES CARDS PLAYERS > RESULTS AND SCORES
import { readFileSync, writeSync } from "node:fs";

const [file, deckFile, games, cards, players] = [...process.argv.slice(2, 4), ...process.argv.slice(4).map(Number)];
const decks = readFileSync(deckFile);
const sizes = { decks: games * cards, results: games * 24, scores: games * players * 4, left: games * 8, room: 1 << 20 };
const at = {};
let end = 1024;
for (const [name, size] of Object.entries(sizes)) {
  at[name] = end;
  end = Math.ceil((end + size) / 64) * 64;
}
const memory = new WebAssembly.Memory({ initial: Math.ceil(end / 65536) });
const { instance } = await WebAssembly.instantiate(readFileSync(file), { env: { __linear_memory: memory } });
if (instance.exports.room.value > sizes.room) throw new Error("the room is too small");
const bytes = new Uint8Array(memory.buffer);
bytes.set(decks, at.decks);
const left = instance.exports.play(
  at.decks, 0n, 0n, BigInt(games), at.results, at.scores, 0, 0, 0, at.left, at.room);
if (left !== 0n) throw new Error(`${left} games left`);
writeSync(1, bytes.subarray(at.results, at.results + sizes.results));
writeSync(1, bytes.subarray(at.scores, at.scores + sizes.scores));
