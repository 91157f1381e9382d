// Card faces: each is drawn once as a symbol and used wherever the card is shown.

const SVG = "http://www.w3.org/2000/svg";

// Suits in a box of 20 by 20, around the origin.
const SUIT_PATHS = {
  H: "M0 9C-4-1-9-1-9-5A4.6 4.6 0 0 1 0-6 4.6 4.6 0 0 1 9-5C9-1 4-1 0 9Z",
  D: "M0-10 7.5 0 0 10-7.5 0Z",
  S: "M0-10C3-5 9-3 9 2A4.4 4.4 0 0 1 1.2 4.6Q1.6 8 4 9.6H-4Q-1.6 8-1.2 4.6A4.4 4.4 0 0 1-9 2C-9-3-3-5 0-10Z",
  C: "M0-10A4.5 4.5 0 0 1 3.4-2.6 4.5 4.5 0 1 1 1.2 4Q1.6 8 4 9.6H-4Q-1.6 8-1.2 4A4.5 4.5 0 1 1-3.4-2.6 4.5 4.5 0 0 1 0-10Z",
};

// Coins, cups, swords and clubs, in the same box.
const ITALIAN_PATHS = {
  D: "M0-9A9 9 0 1 1-.01-9ZM0-4.2A4.2 4.2 0 1 0 .01-4.2Z",
  C: "M-8-9H8C8-1 4.5 2 1.6 3V6H5V9H-5V6H-1.6V3C-4.5 2-8-1-8-9Z",
  S: "M0-10 2-7V3H6V5.6H1.6V10H-1.6V5.6H-6V3H-2V-7Z",
  B: "M-2.4 10-4.4-5A4.4 4.4 0 0 1 4.4-5L2.4 10ZM-5-2-7.6-4.6-5.4-6ZM5 1 7.6-1.6 5.4-3Z",
};
const PATHS = { french: SUIT_PATHS, italian: ITALIAN_PATHS };

// A shape for each colour of UNO, in the same box: cards can be named without their colours.
const SHAPES = {
  R: "M0-9 9.5 7.5H-9.5Z",
  Y: "M0-10 2.6-3.5 9.5-3.1 4.2 1.4 5.9 8.1 0 4.4-5.9 8.1-4.2 1.4-9.5-3.1-2.6-3.5Z",
  G: "M-8-8H8V8H-8Z",
  B: "M-8.5 0A8.5 8.5 0 1 1 8.5 0 8.5 8.5 0 1 1-8.5 0Z",
};

// The positions of the pips of a rank in the inner field; those below the middle are turned upside down.
const PIPS = {
  A: [[25, 35]],
  2: [[25, 17], [25, 53]],
  3: [[25, 17], [25, 35], [25, 53]],
  4: [[18, 17], [32, 17], [18, 53], [32, 53]],
  5: [[18, 17], [32, 17], [25, 35], [18, 53], [32, 53]],
  6: [[18, 17], [32, 17], [18, 35], [32, 35], [18, 53], [32, 53]],
  7: [[18, 17], [32, 17], [25, 26], [18, 35], [32, 35], [18, 53], [32, 53]],
  8: [[18, 17], [32, 17], [25, 26], [18, 35], [32, 35], [25, 44], [18, 53], [32, 53]],
  9: [[18, 16], [32, 16], [18, 28.5], [32, 28.5], [25, 35], [18, 41.5], [32, 41.5], [18, 54], [32, 54]],
  10: [[18, 16], [32, 16], [25, 22], [18, 28.5], [32, 28.5], [18, 41.5], [32, 41.5], [25, 48], [18, 54], [32, 54]],
};

// What court cards wear and hold, above the head and beside it, in the upper half of a card.
const COURTS = {
  K: {
    hair: "M20 17Q18.6 27.5 25 29.5 31.4 27.5 30 17Z",
    hat: "M19.6 16.2 18.6 8.6 22 11.8 25 7.4 28 11.8 31.4 8.6 30.4 16.2Z",
    held: "M34.4 11V33M32.4 28H36.4",
  },
  Q: {
    hair: "M25 11.4C17.6 11.4 18.6 20 17.4 28Q20.4 29.6 22 27H28Q29.6 29.6 32.6 28C31.4 20 32.4 11.4 25 11.4Z",
    hat: "M20.2 14.6 19 9.8 22.4 12 25 8.4 27.6 12 31 9.8 29.8 14.6Q25 12.8 20.2 14.6Z",
    held: "M34.6 33V20M34.6 26Q31.8 25.4 31.8 23M34.6 29Q37 28 37 26",
  },
  J: {
    hair: "M25 12.4C19 12.4 19.8 18.6 18.8 24.6H31.2C30.2 18.6 31 12.4 25 12.4Z",
    hat: "M18.4 15.4Q18.6 9 26 9.4L33.8 7.4Q32.4 12.4 31.2 15.4Q25 12.6 18.4 15.4Z",
    held: "M34.4 9V33M32.2 15Q36.8 13.6 36.4 9.8L34.4 12Z",
  },
};
const HAIR = { H: "#c48a34", D: "#9c5a24", S: "#4b4038", C: "#6d4f2e" };
const GOLD = "#e0ae35";
const SKIN = "#f5d6b6";
const DARK = "#2b2622";

export function svgElement(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export class Cards {
  // where: the element that holds the symbols. prefix: of their names, if a page has the cards of several games.
  constructor(faces, where, prefix = "card") {
    this.faces = faces;
    this.prefix = prefix;
    this.store = svgElement("svg", { width: 0, height: 0, "aria-hidden": "true", class: "store" });
    this.made = new Map();
    where.append(this.store);
  }

  // The picture of a card by its name, or of the back of a card where no face has this name.
  picture(name) {
    const face = this.faces[name];
    const use = svgElement("use", { href: `#${this.symbol(name, face)}` });
    const picture = svgElement("svg", { class: "card", viewBox: "0 0 50 70" }, use);
    if (face) {
      picture.setAttribute("role", "img");
      picture.setAttribute("aria-label", face.label);
      picture.append(svgElement("title"));
      picture.lastChild.textContent = face.label;
    } else {
      picture.setAttribute("aria-hidden", "true");
    }
    picture.dataset.card = face ? name : "";
    return picture;
  }

  // A picture where the text around it says which card it is.
  plainPicture(name) {
    const picture = this.picture(name);
    picture.setAttribute("aria-hidden", "true");
    for (const attribute of ["role", "aria-label"]) picture.removeAttribute(attribute);
    return picture;
  }

  // A list item for each of some cards, with its picture.
  items(names) {
    return names.map((name) => {
      const item = document.createElement("li");
      item.append(this.picture(name));
      return item;
    });
  }

  // What a card is called, or each card of a set.
  label(name) {
    return name.split(",").map((each) => this.faces[each]?.label ?? each).join(", ");
  }

  symbol(name, face) {
    const key = face ? name : "back";
    if (!this.made.has(key)) {
      const id = `${this.prefix}-${this.made.size}`;
      const drawn = face ? DRAWN[face.style](face) : back();
      this.store.append(svgElement("symbol", { id, viewBox: "0 0 50 70" }, ...drawn));
      this.made.set(key, id);
    }
    return this.made.get(key);
  }

  // A small mark of a suit or colour.
  mark(letter) {
    const { style } = this.faces[Object.keys(this.faces)[0]];
    const isUno = style === "uno";
    const drawn = svgElement("path", { d: (isUno ? SHAPES : PATHS[style] ?? SUIT_PATHS)[letter] ?? "", class: isUno ? `uno-${letter} shape` : suitClass(letter, style) });
    return svgElement("svg", { class: "mark", viewBox: "-10.5 -10.5 21 21", "aria-hidden": "true" }, drawn);
  }

  // The parts of a card in a line of text.
  chipParts(name) {
    const { style, rank, suit } = this.faces[name];
    if (PATHS[style]) return [rank, this.mark(suit)];
    if (style !== "uno") return [this.plainPicture(name)];
    const sign = UNO_CORNERS[rank] ?? rank;
    return suit ? [sign, this.mark(suit)] : [sign, svgElement("svg", { class: "mark", viewBox: "-11 -11 22 22", "aria-hidden": "true" }, ...quarters(0.55))];
  }
}

const DRAWN = { french: frenchFace, italian: italianFace, uno: unoFace, tile: tileFace, plain: plainFace };

function outline(kind) {
  return svgElement("rect", { x: 0.5, y: 0.5, width: 49, height: 69, rx: 5, class: `sheet ${kind}` });
}

function text(content, x, y, size, kind) {
  const element = svgElement("text", { x, y, "font-size": size, class: kind, "text-anchor": "middle" });
  element.textContent = content;
  return element;
}

// The same in the upper left corner and, rotated, in the lower right one.
function corners(make) {
  return [make(), svgElement("g", { transform: "rotate(180 25 35)" }, make())];
}

function suitClass(suit, style) {
  return `${style === "italian" ? style : "suit"}-${suit}`;
}

function pip(suit, x, y, size, turned = false, style = "french") {
  const transform = `translate(${x} ${y}) scale(${turned ? -size : size})`;
  return svgElement("path", { d: PATHS[style][suit], transform, class: suitClass(suit, style) });
}

function frenchFace({ rank, suit }) {
  const court = COURTS[rank];
  return [outline("white"), ...indices(rank, suit, "french"), ...(court ? courtFigure(suit, court) : pips(rank, suit, "french"))];
}

// Jack, knight and king are their letter over the suit.
function italianFace({ rank, suit }) {
  const letter = () => [text(rank, 25, 36, 26, `index italian-${suit}`), pip(suit, 25, 50, 0.9, false, "italian")];
  return [outline("white"), ...indices(rank, suit, "italian"), ...(PIPS[rank] ? pips(rank, suit, "italian") : letter())];
}

function indices(rank, suit, style) {
  const isWide = rank.length > 1;
  const kind = `index ${suitClass(suit, style)}`;
  return corners(() => svgElement("g", {}, text(rank, isWide ? 7.6 : 7, 13.6, isWide ? 11.5 : 14.5, kind), pip(suit, 7, 20.6, 0.42, false, style)));
}

function pips(rank, suit, style) {
  return PIPS[rank].map(([x, y]) => pip(suit, x, y, rank === "A" ? 1.35 : 0.54, y > 35, style));
}

// Two halves of a figure, of which one is turned upside down.
function courtFigure(suit, { hair, hat, held }) {
  const frame = svgElement("rect", { x: 13, y: 6, width: 24.5, height: 58, rx: 2.5, class: `frame suit-${suit}` });
  const half = () => svgElement("g", { class: `suit-${suit}` },
    svgElement("path", { d: held, fill: "none", stroke: GOLD, "stroke-width": 1.3, "stroke-linecap": "round" }),
    svgElement("path", { d: hair, fill: HAIR[suit] }),
    svgElement("path", { d: "M14 35Q14 27.6 21 26.6L25 29.4 29 26.6Q36 27.6 36 35Z" }),
    svgElement("path", { d: "M22.6 24H27.4V27.6L25 29.8 22.6 27.6Z", fill: SKIN }),
    svgElement("ellipse", { cx: 25, cy: 19.4, rx: 4.3, ry: 5.4, fill: SKIN }),
    svgElement("path", { d: "M23.3 18.6V19.6M26.7 18.6V19.6M23.6 22.6Q25 23.5 26.4 22.6", fill: "none", stroke: DARK, "stroke-width": 0.8, "stroke-linecap": "round" }),
    svgElement("path", { d: hat, fill: GOLD, stroke: DARK, "stroke-width": 0.6, "stroke-linejoin": "round" }),
    svgElement("path", { d: "M21 26.6 25 29.4 29 26.6M25 29.4V35M17.6 28.4 19.4 35M32.4 28.4 30.6 35", fill: "none", stroke: GOLD, "stroke-width": 1 }),
    pip(suit, 17.2, 11.8, 0.36));
  return [frame, ...corners(half), svgElement("path", { d: "M13.4 35H37.2", stroke: GOLD, "stroke-width": 1 })];
}

const UNO_SIGNS = {
  S: () => [svgElement("circle", { cx: 25, cy: 35, r: 9.5, class: "stroke" }), svgElement("path", { d: "M18.5 41.5 31.5 28.5", class: "stroke" })],
  R: () => [
    svgElement("path", { d: "M16.5 36A8.5 8.5 0 0 1 31 29.2M31.5 23.5V30H25", class: "stroke" }),
    svgElement("path", { d: "M33.5 34A8.5 8.5 0 0 1 19 40.8M18.5 46.5V40H25", class: "stroke" }),
  ],
  D: () => [
    svgElement("rect", { x: 23, y: 24, width: 10, height: 14, rx: 1.6, class: "small" }),
    svgElement("rect", { x: 17, y: 31, width: 10, height: 14, rx: 1.6, class: "small" }),
  ],
};
const UNO_CORNERS = { S: "⊘", R: "⇄", D: "+2", WC: "", WF: "+4" };

function shape(suit, x, y, size, kind) {
  return svgElement("path", { d: SHAPES[suit], transform: `translate(${x} ${y}) scale(${size})`, class: kind });
}

// The index stands over the shape of the colour, which is seen again at both ends of the oval.
function unoFace({ rank, suit }) {
  const colour = `uno-${suit || "wild"}`;
  const corner = UNO_CORNERS[rank] ?? rank;
  const isWide = corner.length > 1;
  const index = () => svgElement("g", { class: `ink-${suit || "wild"}` },
    ...corner ? [text(corner, isWide ? 10 : 8.8, 14.4, isWide ? 9 : 12, "uno-index")] : [],
    ...(suit ? [shape(suit, 8.8, 20.2, 0.4)] : [svgElement("g", { transform: `translate(9 ${corner ? 22 : 13.5})` }, ...quarters(corner ? 0.24 : 0.36))]));
  const inner = svgElement("rect", { x: 3.5, y: 3.5, width: 43, height: 63, rx: 3.5, class: colour });
  const oval = svgElement("ellipse", { cx: 25, cy: 35, rx: 16.5, ry: 27, transform: "rotate(24 25 35)", class: suit ? "oval" : "oval dark" });
  const middle = suit ? UNO_SIGNS[rank]?.() ?? [text(rank, 25, 46, 31, "uno-number")] : wildSign(rank);
  const ends = suit ? corners(() => shape(suit, 32.6, 16.2, 0.46, "shape")) : [];
  return [outline("white"), inner, oval, svgElement("g", { class: `${colour} sign` }, ...middle, ...ends), ...corners(index)];
}

function wildSign(rank) {
  if (rank === "WF") {
    return ["B", "G", "Y", "R"].flatMap((suit, place) => [
      svgElement("rect", { x: 12.5 + 5 * place, y: 36 - 6.2 * place, width: 11, height: 16, rx: 1.8, class: `small uno-${suit}` }),
      svgElement("g", { class: `ink-${suit}` }, shape(suit, 15.3 + 5 * place, 39.4 - 6.2 * place, 0.2)),
    ]);
  }
  return [svgElement("g", { transform: "translate(25 35) rotate(24)" }, ...quarters(0.9, true))];
}

// The four colours as the quarters of an oval around the origin. isMarked: with their shapes.
function quarters(size, isMarked = false) {
  return [["B", 1, -1], ["R", -1, -1], ["Y", -1, 1], ["G", 1, 1]].flatMap(([suit, x, y]) => [
    svgElement("path", { d: `M0 0V${27 * y}A16.5 27 0 0 ${x * y > 0 ? 0 : 1} ${16.5 * x} 0Z`, transform: `scale(${size})`, class: `uno-${suit} quarter` }),
    ...(isMarked ? [svgElement("g", { class: `ink-${suit}` }, shape(suit, 6.2 * x, 9.6 * y, 0.42))] : []),
  ]);
}

// The positions of the signs of a rank on a tile.
const SIGNS = {
  1: [[25, 38]],
  2: [[25, 24], [25, 52]],
  3: [[14, 22], [25, 38], [36, 54]],
  4: [[16, 25], [34, 25], [16, 51], [34, 51]],
  5: [[14, 23], [36, 23], [25, 38], [14, 53], [36, 53]],
  6: [[16, 20], [34, 20], [16, 38], [34, 38], [16, 56], [34, 56]],
  7: [[12, 16], [25, 21], [38, 26], [16, 41], [34, 41], [16, 57], [34, 57]],
  8: [[16, 17], [34, 17], [16, 31], [34, 31], [16, 45], [34, 45], [16, 59], [34, 59]],
  9: [[11, 20], [25, 20], [39, 20], [11, 38], [25, 38], [39, 38], [11, 56], [25, 56], [39, 56]],
};
const TILE_SIGNS = { D: dot, B: bamboo };

function tileFace({ rank, suit }) {
  const index = text(rank, 6, 11, 9.5, `tile-index tile-${suit}`);
  const sheet = [outline("white"), svgElement("rect", { x: 2.5, y: 2.5, width: 45, height: 65, rx: 3.5, class: "tile-edge" })];
  const sign = TILE_SIGNS[suit];
  if (!sign) return [...sheet, text(rank, 25, 34, 27, `tile-number tile-${suit}`), character(suit)];
  const size = rank === "1" ? 2.1 : rank > 6 ? 0.85 : 1;
  return [...sheet, index, ...SIGNS[rank].flatMap(([x, y]) => sign(x, y, size))];
}

function dot(x, y, size) {
  return [
    svgElement("circle", { cx: x, cy: y, r: 6.4 * size, class: "tile-D" }),
    svgElement("circle", { cx: x, cy: y, r: 3.9 * size, class: "tile-ring" }),
    svgElement("circle", { cx: x, cy: y, r: 1.5 * size, class: "tile-heart" }),
  ];
}

function bamboo(x, y, size) {
  const stick = svgElement("rect", { x: x - 2.3 * size, y: y - 6.6 * size, width: 4.6 * size, height: 13.2 * size, rx: 2.1 * size, class: "tile-B" });
  const knot = svgElement("rect", { x: x - 3.2 * size, y: y - 0.9 * size, width: 6.4 * size, height: 1.8 * size, rx: 0.9 * size, class: "tile-B" });
  return [stick, knot, svgElement("path", { d: `M${x} ${y - 5 * size}V${y + 5 * size}`, class: "tile-line" })];
}

// The sign for ten thousand: grass over a field that stands on two legs.
function character(suit) {
  const strokes = "M13 42H37M20 39V45M30 39V45M17 48H33V56H17ZM25 48V65M17 52H33M14 66V59H36V66";
  return svgElement("path", { d: strokes, class: `tile-sign tile-${suit}` });
}

function plainFace({ rank }) {
  return [outline("white"), text(rank, 25, 40, Math.min(20, 60 / rank.length), "index")];
}

function back() {
  const pattern = [];
  for (let y = 10; y <= 60; y += 5) {
    for (let x = 10 + (y % 10 ? 2.5 : 0); x <= 40; x += 5) pattern.push(`M${x} ${y - 1.6}l1.6 1.6-1.6 1.6-1.6-1.6z`);
  }
  return [
    outline("back"),
    svgElement("rect", { x: 4, y: 4, width: 42, height: 62, rx: 3, class: "back-inner" }),
    svgElement("path", { d: pattern.join(""), class: "back-pattern" }),
  ];
}
