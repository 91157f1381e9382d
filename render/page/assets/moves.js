// The legal moves: a button for each, and the reason why each other event is refused.

import { byId, element } from "./dom.js";

export class Moves {
  // fire: called with the fields of a move: trigger, card, suit and other values.
  constructor(fire) {
    this.fire = fire;
  }

  show(now, story, cards) {
    const { legal, refused } = now;
    this.named = new Set(legal.filter(([, card]) => card).map(([trigger]) => trigger)).size > 1;
    byId("legal").replaceChildren(...legal.map((move) => this.button(move, story, cards)));
    if (now.outcome) byId("legal").replaceChildren(element("p", "", now.outcome.text));
    byId("refused-count").textContent = refused.length === 1 ? "1 event is refused" : `${refused.length} events are refused`;
    byId("refused").replaceChildren(...refused.flatMap(([event, why]) => [element("dt", "", event), element("dd", "", why)]));
    byId("position").value = now.position;
  }

  // Moves are possible only at the end of the story.
  place(at, story) {
    const earlier = at < story.length;
    byId("earlier").hidden = !earlier;
    byId("earlier").firstElementChild.textContent = `You see event ${at} of ${story.length}.`;
    for (const button of byId("legal").querySelectorAll("button")) button.disabled = earlier;
    byId("choose").disabled = earlier || story.outcome !== null;
    byId("undo").disabled = story.length === 0;
  }

  button([trigger, card, suit, values = {}], story, cards) {
    const button = element("button", "move");
    button.type = "button";
    const named = [...(suit ? [story.data.suits[suit]] : []), ...Object.entries(values).map(([kind, value]) => valueText(kind, value))];
    const event = trigger.replaceAll("_", " ");
    const naming = card && named.length ? `, naming ${named}` : named.map((text) => ` ${text}`).join("");
    button.setAttribute("aria-label", card ? `${trigger} ${cards.label(card)}${naming}` : `${event}${naming}`);
    button.dataset.move = [trigger, card, suit, ...Object.values(values)].filter((part) => part ?? false).join(" ");
    if (card) {
      if (this.named) button.append(element("span", "", event));
      button.append(...card.split(",").map((each) => cards.plainPicture(each)));
    } else {
      button.append(element("span", "", event));
    }
    for (const [kind, value] of Object.entries(values)) button.append(element("span", "", valueText(kind, value)));
    if (suit) button.append(cards.mark(suit));
    button.addEventListener("click", () => this.fire({ trigger, card, suit, ...values }));
    return button;
  }
}

// The text of a named value: `player 2`, `Q`, `yes`.
function valueText(kind, value) {
  if (kind === "seat") return `player ${value}`;
  if (kind === "answer") return value ? "yes" : "no";
  return `${value}`;
}
