// The deal of a round: its hash is kept when it is first seen, and compared with what is shown when the round is over.
// Whether the deck deals the cards that a seat saw is not checked.

import { byId } from "./dom.js";

const KEPT_DEAL = "maumau deal "; // with the seat, the table and the round: the hash
const PRIMES = [];
for (let each = 2; PRIMES.length < 64; each += 1) if (PRIMES.every((prime) => each % prime)) PRIMES.push(each);
const ROUNDS = PRIMES.map((prime) => bitsAfterPoint(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => bitsAfterPoint(Math.sqrt(prime)));

const AFTER = "You can check it when the round is over, if all hands are shown then.";
const HIDDEN = "It cannot be checked, because hands stay hidden in this round.";

export class Deal {
  // place: of the round: the seat, the table and the number. deal: as the server shows it; null for an open one.
  // isOver: whether the round is; its deck stays hidden where hands do.
  show(place, deal, isOver) {
    byId("seal").hidden = !deal;
    byId("check").hidden = !deal?.deck;
    byId("hidden-deal").hidden = !(deal && isOver && !deal.deck);
    if (!deal) return;
    byId("seal-check").textContent = deal.deck ? "The result of the round shows the check." : isOver ? HIDDEN : AFTER;
    const known = this.known(place, deal);
    const number = known ?? deal.hash;
    byId("seal-hash").textContent = number;
    if (!deal.deck) return;
    const text = `${deal.salt} ${deal.deck}`;
    const isSame = number === deal.hash && sha256(text) === number;
    const verdict = known ? "This deck belongs to the number that this page showed during the round ✓" : "This page had not seen the number of this deck before the end of the round";
    byId("check-title").textContent = isSame ? verdict : "This deck does not belong to the number of the round";
    byId("check-hash").textContent = number;
    byId("check-command").textContent = `printf '%s' '${text}' | sha256sum`;
  }

  // The hash that this page was sent first, also before a reload; null if the deck was shown with it.
  known(place, { hash, deck }) {
    const key = KEPT_DEAL + place;
    if (!deck && sessionStorage.getItem(key) === null) {
      for (const other of Object.keys(sessionStorage)) if (other.startsWith(KEPT_DEAL)) sessionStorage.removeItem(other);
      sessionStorage.setItem(key, hash);
    }
    return sessionStorage.getItem(key);
  }
}

// Pages that are served without TLS have no hashes of the browser.
function sha256(text) {
  const bytes = new TextEncoder().encode(text);
  const words = new Uint32Array(((bytes.length + 72) >> 6) * 16);
  [...bytes, 0x80].forEach((byte, place) => { words[place >> 2] |= byte << (24 - 8 * (place % 4)); });
  words[words.length - 1] = bytes.length * 8;
  let state = START;
  for (let block = 0; block < words.length; block += 16) state = compressed(state, words.subarray(block, block + 16));
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

function compressed(state, block) {
  const words = [...block];
  let [a, b, c, d, e, f, g, h] = state;
  for (let round = 0; round < 64; round += 1) {
    if (round > 15) {
      const [early, late] = [words[round - 15], words[round - 2]];
      const mixed = (turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)) + (turned(late, 17) ^ turned(late, 19) ^ (late >>> 10));
      words[round] = (words[round - 16] + words[round - 7] + mixed) | 0;
    }
    const chosen = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[round] + words[round];
    const most = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [a, b, c, d, e, f, g, h] = [(chosen + most) | 0, a, b, c, (d + chosen) | 0, e, f, g];
  }
  return [a, b, c, d, e, f, g, h].map((word, place) => (word + state[place]) | 0);
}

function turned(word, places) {
  return (word >>> places) | (word << (32 - places));
}

function bitsAfterPoint(root) {
  return ((root % 1) * 2 ** 32) | 0;
}
