// Games that a WebAssembly kernel plays and adds up, which maumau/kernels/bulk/ahead.py makes.

const CHUNK = 1 << 14; // games that are played at a time
const PAGE = 1 << 16;

export class Kernel {
  #run;
  #bytes;
  #words;
  #arguments;
  #counters;

  // code: the module. players: of each game. counters: how many words there are, and where each part of them begins,
  // with its length. result: the bytes of the result of a game.
  static async of(code, players, counters, result) {
    const memory = new WebAssembly.Memory({ initial: 1 });
    const top = new WebAssembly.Global({ value: "i32", mutable: true }, 0);
    const { instance } = await WebAssembly.instantiate(code, { env: { __linear_memory: memory, __stack_pointer: top } });
    const { free, room, native } = instance.exports;
    const at = {};
    let end = Math.ceil(free.value / 64) * 64 + room.value;
    memory.grow(1 + Math.ceil(room.value / PAGE));
    top.value = Math.floor(end / 64) * 64;
    const sizes = { arguments: 512, seats: 8 * players, counters: 8 * counters.words, results: result * CHUNK, scores: 4 * players * CHUNK };
    for (const [name, size] of Object.entries(sizes)) {
      at[name] = Math.ceil(end / 64) * 64;
      end = at[name] + size;
    }
    memory.grow(Math.max(0, Math.ceil((end - memory.buffer.byteLength) / PAGE)));
    return new Kernel(memory, native, at, players, counters);
  }

  constructor(memory, native, at, players, { words, parts }) {
    const places = parts.map(([start, length]) => [at.counters + 8 * start, length]);
    // no rounds are kept (log, ends, tables, results, scores, totals), and there is no room for positions
    const none = [0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0];
    this.#words = new BigInt64Array(memory.buffer, at.arguments, 64);
    this.#counters = new BigInt64Array(memory.buffer, at.counters, words);
    this.#run = () => native(at.arguments);
    this.#arguments = (seed, first, games) => [
      ...[0, 0, 0, 0, 0, seed, first, at.seats, players, at.results, games, at.scores, games, players, 0, 0],
      ...[...places.slice(0, 2), none, ...places.slice(2)].flat(),
    ];
  }

  // Plays games first, ... of a seed. Throws where some do not end.
  play(seed, first, games) {
    this.#arguments(seed, first, games).forEach((word, index) => (this.#words[index] = BigInt(word)));
    const left = this.#run();
    if (left) throw new Error(`${left} games do not end`);
  }

  // The counters after games 0, 1, ... of a seed. notify: called with how many are played.
  total(seed, games, notify = () => {}) {
    for (let first = 0; first < games; first += CHUNK) {
      this.play(seed, first, Math.min(CHUNK, games - first));
      notify(Math.min(first + CHUNK, games));
    }
    return [...this.#counters].map(Number);
  }
}
