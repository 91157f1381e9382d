// The story of a game: the frame after each event, computed from the changes of the events.

export class Story {
  constructor(data) {
    this.data = data;
    this.sentences = data.sentences ?? [];
    this.steps = [];
    this.frames = [data.start];
    this.outcome = data.outcome ?? null;
    this.append(data.steps ?? []);
  }

  get length() {
    return this.steps.length;
  }

  append(rows) {
    for (const [arc, player, card, suit, what, why, changes] of rows) {
      this.steps.push({ arc, player, card, suit, what: this.named(this.sentences[what]), why: this.named(this.sentences[why]) });
      this.frames.push(changed(this.frames.at(-1), changes));
    }
  }

  // The name of who has a seat, from 0.
  player(seat) {
    return this.data.names?.[seat] ?? `Player ${seat + 1}`;
  }

  // A text with the names of those who have played.
  named(text) {
    return text.replace(/\b[Pp]layer (\d+)\b/g, (whole, number) => this.data.names?.[number - 1] ?? whole);
  }

  cut(length) {
    this.steps.length = length;
    this.frames.length = length + 1;
  }

  // The event that led to a frame, or nothing at the start.
  step(at) {
    return at > 0 ? this.steps[at - 1] : null;
  }

  arc(step) {
    return this.data.arcs[step.arc];
  }

  // One event in a sentence or two.
  sentence(at) {
    const step = this.step(at);
    if (!step) return "The cards are dealt.";
    const { description } = this.arc(step);
    const why = step.why ? ` (${step.why})` : "";
    return step.what ? `${step.what}${why}. ${description}` : description;
  }
}

// The frame after `changes`; what stays the same is shared with the frame before.
export function changed(frame, changes) {
  const after = { ...frame };
  for (const [name, value] of Object.entries(changes)) {
    if (name === "hands") {
      after.hands = frame.hands.map((hand, seat) => (seat in value ? spliced(hand, value[seat]) : hand));
    } else {
      after[name] = name === "draw" || name === "discard" ? spliced(frame[name], value) : value;
    }
  }
  return after;
}

function spliced(row, [start, leaving, ...coming]) {
  const copy = row.slice();
  copy.splice(start, leaving, ...coming);
  return copy;
}
