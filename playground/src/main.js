// The page: left the text of a machine, right its diagram, its table and what a check found.

import { instance } from "@viz-js/viz";
import { Editor } from "./editor.js";
import { Python } from "./python.js";
import { fromFragment, toFragment } from "./share.js";

const PAUSE = 400; // milliseconds without a key before the text is run
const MILLION = 1_000_000;
const KEPT = "maumau-playground-solved";
const byId = (id) => document.getElementById(id);
const element = (name, text = "", kind = "") => Object.assign(document.createElement(name), { textContent: text, className: kind });

const stepper = new Python();
const started = stepper.call("start");
const checker = new Python();
const content = await (await fetch("content.json")).json();
const viz = instance();
const solved = new Set(JSON.parse(localStorage.getItem(KEPT) ?? "[]"));
let level = null;
let waiting = 0;
let latest = 0;
let example = null;
let more = false; // whether the console expects more lines
let fresh = true; // whether the text has been no machine yet, since it was chosen
const editor = new Editor(byId("editor"), () => {
  clearTimeout(waiting);
  if (byId("shared").hidden) waiting = setTimeout(run, PAUSE);
});

// ---------------------------------------------------------------- the machine

function say(text) {
  byId("status").textContent = text;
}

async function run() {
  clearTimeout(waiting);
  const mine = (latest += 1);
  const found = await stepper.call("load", [editor.text]);
  if (mine !== latest) return;
  byId("replay").hidden = true;
  example = null;
  more = false;
  editor.mark(found.line ?? 0, found.error);
  byId("fault").hidden = !found.error;
  byId("fault").textContent = found.error ? `${found.line ? `line ${found.line}: ` : ""}${found.error}` : "";
  fresh &&= Boolean(found.error);
  document.body.classList.toggle("no-machine", fresh);
  if (found.error) return say("The text is no machine yet.");
  const chosen = Number(byId("players").value);
  byId("players").replaceChildren(...found.players.map((count) => element("option", String(count))));
  byId("players").value = found.players.reduce((one, other) => (Math.abs(other - chosen) < Math.abs(one - chosen) ? other : one));
  byId("output").textContent = found.printed;
  say(`${found.title}: ready`);
  await show(found);
}

async function show(state) {
  if (state.refusal) say(state.refusal);
  byId("board").innerHTML = state.board;
  byId("facts").textContent = state.board ? "" : [state.phase, ...state.facts].join(" · ");
  byId("log").replaceChildren(...state.log.map((text) => element("li", text)));
  byId("log").start = Math.max(1, state.count - state.log.length + 1);
  byId("log").scrollTop = byId("log").scrollHeight;
  const buttons = state.events.map(({ text, trigger, named }) => {
    const button = element("button", text, state.forced ? "forced" : "");
    button.onclick = async () => show(await stepper.call("fire", [trigger, named]));
    return button;
  });
  const step = element("button", "Step");
  step.onclick = async () => show(await stepper.call("step"));
  step.disabled = state.outcome !== "";
  const undo = element("button", "Undo");
  undo.disabled = state.count === 0;
  undo.onclick = async () => show(await stepper.call("undo"));
  const deal = element("button", "New");
  deal.onclick = async () => show(await stepper.call("deal", [Math.floor(Math.random() * 1e6)]));
  byId("moves").replaceChildren(...buttons, step, undo, deal);
  if (state.outcome) byId("moves").prepend(element("span", state.outcome));
  await draw(state.dot, `the active phase is ${state.phase}`);
  centre(document.getElementById(state.node));
}

async function draw(dot, words) {
  const drawing = await viz;
  const [svg, layout] = ["svg", "json"].map((format) => drawing.renderString(dot, { format }));
  byId("diagram").setAttribute("aria-label", `The state diagram: ${words}`);
  byId("diagram").innerHTML = await stepper.call("fitted", [svg.slice(svg.indexOf("<svg")), layout]);
}

// Scroll the drawing, but not the page, to a phase.
function centre(node) {
  const [box, view] = [node, byId("diagram")].map((each) => each.getBoundingClientRect());
  byId("diagram").scrollBy(box.x + (box.width - view.width) / 2 - view.x, box.y + (box.height - view.height) / 2 - view.y);
}

// ---------------------------------------------------------------- checks

async function check() {
  const report = byId("report");
  report.hidden = false;
  report.replaceChildren(element("p", "Checking …"));
  busy(true);
  try {
    const found = await checker.call("check", [editor.text], (note) => report.replaceChildren(element("p", note)));
    report.replaceChildren(...reported(found));
    const failing = found.properties?.find((line) => line.failed && line.example);
    if (failing) await begin(failing);
    (failing ? byId("replay") : report).scrollIntoView({ block: "nearest" });
  } catch (error) {
    report.replaceChildren(element("p", error.message));
  }
  busy(false);
}

async function many() {
  const report = byId("report");
  const { text } = editor;
  const [players, seed] = ["players", "seed"].map((name) => Number(byId(name).value));
  report.hidden = false;
  report.replaceChildren(element("p", "The kernel is loaded …"));
  busy(true);
  try {
    const found = await checker.call("many", [text, players, seed, MILLION], (note) => report.replaceChildren(element("p", note)));
    report.replaceChildren(...counted(found));
    if (found.dot && text === editor.text) await draw(found.dot, `how often each transition fired in ${found.note}`);
  } catch (error) {
    report.replaceChildren(element("p", error.message));
  }
  busy(false);
}

function* counted(found) {
  if (found.error) {
    yield element("p", found.error, "failed");
    return;
  }
  yield element("p", `${found.note}. They took ${found.seconds.toFixed(1)} seconds; the longest game has ${found.longest.toLocaleString("en")} turns.`, "ok");
  yield counts(found.rows);
  const arcs = element("details");
  arcs.append(element("summary", "How often each transition fired"), counts(found.arcs));
  yield arcs;
  if (!found.command) return;
  yield element("p", "The same figures, with the package installed:");
  yield element("pre", found.command);
}

function counts(rows) {
  const table = element("table");
  for (const [name, count, share] of rows) {
    const row = table.insertRow();
    const shown = share.toLocaleString("en", { minimumFractionDigits: 4, maximumFractionDigits: 4 });
    row.append(element("td", count.toLocaleString("en"), "count"), element("td", shown, "count"), element("td", name));
  }
  table.createTHead().insertRow().append(...["all", "a game", "what"].map((name) => element("th", name)));
  return table;
}

function busy(is) {
  byId("check").disabled = is;
  byId("million").disabled = is;
  byId("judge").disabled = is;
  byId("stop").hidden = !is;
}

function* reported(found) {
  if (found.error) {
    yield element("p", `${found.line ? `line ${found.line}: ` : ""}${found.error}`, "failed");
    return;
  }
  const failed = found.properties.filter((line) => line.failed);
  const positions = `${found.positions.toLocaleString("en")} positions and ${found.events.toLocaleString("en")} events of ${found.deck}`;
  yield element("p", `${positions}. ${failed.length ? `${failed.length} ${failed.length === 1 ? "property fails" : "properties fail"}.` : "All properties hold."}`, failed.length ? "failed" : "ok");
  const table = element("table");
  for (const line of [...failed, ...found.properties.filter((each) => !each.failed)]) {
    const row = table.insertRow();
    row.append(element("td", line.failed ? "fails" : "holds", line.failed ? "failed" : "ok"), element("td", stated(line)));
    const cell = row.insertCell();
    if (!line.example) continue;
    const button = element("button", "Replay");
    button.onclick = () => begin(line);
    cell.append(button);
  }
  yield table;
  for (const arc of found.never) yield element("p", `never fired: ${arc}`);
  if (!found.complete) yield element("p", "Not all positions were visited: there are too many.", "failed");
}

// A property, and what a rule function raised where it fails.
function stated(line) {
  return line.error ? `${line.text}: ${line.error}` : line.text;
}

async function begin(line) {
  example = line.example;
  byId("replay").hidden = false;
  byId("violated").textContent = `Fails: ${stated(line)}`;
  Object.assign(byId("at"), { max: example.events.length, value: 0 });
  await go(0);
}

// The position after some events of the example.
async function go(to) {
  const { cards, each, line, number, events } = example;
  byId("event").textContent = to ? `${to} of ${events.length}: ${events[to - 1].text}` : "the deal";
  await show(await stepper.call("replay", [cards, each, line, number, events.slice(0, to)]));
}

// ---------------------------------------------------------------- examples, levels, links

function put(text) {
  fresh = true;
  editor.text = text;
}

function choose() {
  const [kind, name] = byId("examples").value.split(":");
  level = kind === "level" ? content.levels.find((each) => each.name === name) : null;
  const source = content[`${kind}s`].find((each) => each.name === name).source;
  byId("task").hidden = !level;
  byId("shared").hidden = true;
  byId("report").hidden = true;
  if (level) {
    byId("task-title").textContent = `${content.levels.indexOf(level) + 1}. ${level.title}`;
    byId("task-text").replaceChildren(...level.text.split("\n\n").map((part) => element("p", part)));
    byId("verdict").textContent = "";
    byId("next").hidden = true;
  }
  history.replaceState(null, "", `#${kind}=${name}`);
  put(source);
  return run();
}

async function judge() {
  busy(true);
  byId("verdict").textContent = "Judging …";
  byId("verdict").className = "";
  try {
    const { passed, message } = await checker.call("judge", [level.name, editor.text]);
    byId("verdict").textContent = message;
    byId("verdict").className = passed ? "solved" : "open";
    if (passed) keep(level.name);
    byId("next").hidden = !passed || level === content.levels.at(-1);
  } catch (error) {
    byId("verdict").textContent = error.message;
  }
  busy(false);
}

function keep(name) {
  solved.add(name);
  localStorage.setItem(KEPT, JSON.stringify([...solved]));
  fill();
}

function fill() {
  const chosen = byId("examples").value;
  const groups = [["example", "Examples"], ["game", "Games and house rules"], ["level", "Levels"]].map(([kind, label]) => {
    const group = Object.assign(document.createElement("optgroup"), { label });
    const name = (row, index) => (kind === "level" ? `${solved.has(row.name) ? "✓ " : ""}${index + 1}. ${row.title}` : row.title);
    group.append(...content[`${kind}s`].map((row, index) => new Option(name(row, index), `${kind}:${row.name}`)));
    return group;
  });
  byId("examples").replaceChildren(...groups);
  if (chosen) byId("examples").value = chosen;
}

async function share() {
  history.replaceState(null, "", `#code=${await toFragment(editor.text)}`);
  await navigator.clipboard?.writeText(location.href).catch(() => {});
  say("The link is in the address bar: it holds the text itself.");
}

function download() {
  const link = element("a");
  link.href = URL.createObjectURL(new Blob([editor.text], { type: "text/x-python" }));
  link.download = "own.py";
  link.click();
  const name = [...editor.text.matchAll(/^(?:class (\w+)\(Game\b|(\w+) = \w+(?:\.with_rules|$))/gm)].at(-1)?.slice(1).find(Boolean);
  say(name ? `maumau check --game own.py:${name}` : "maumau check --with own.py:NAME");
}

async function open() {
  const [kind, value] = location.hash.slice(1).split("=");
  if (kind === "code") {
    try {
      put(await fromFragment(value));
      byId("examples").selectedIndex = -1;
      byId("shared").hidden = false;
      clearTimeout(waiting);
      return say("Shared text: not run yet.");
    } catch {
      // the link is broken, as one of an unknown machine
    }
  }
  const known = [...byId("examples").options].some((option) => option.value === `${kind}:${value}`);
  byId("examples").value = known ? `${kind}:${value}` : "example:turnstile";
  await choose();
  if (kind && !known) say("The link is broken: the turnstile is shown instead.");
}

// ---------------------------------------------------------------- the console

async function enter(event) {
  const line = byId("line");
  if (event.key !== "Enter") return;
  const text = line.value;
  line.value = "";
  const state = await stepper.call("run", [text]);
  byId("output").textContent += `${more ? "..." : ">>>"} ${text}\n${state.output}`;
  more = state.more;
  byId("output").scrollTop = byId("output").scrollHeight;
  await show(state);
}

async function complete() {
  const text = byId("line").value;
  const start = text.replace(/[\w.]*$/, "");
  const names = await stepper.call("completions", [text]);
  byId("completions").replaceChildren(...names.map((name) => new Option("", start + name)));
}

byId("examples").onchange = choose;
byId("check").onclick = check;
byId("million").onclick = many;
byId("stop").onclick = () => checker.stop();
byId("share").onclick = share;
byId("download").onclick = download;
byId("judge").onclick = judge;
byId("reset").onclick = choose;
byId("next").onclick = () => {
  byId("examples").value = `level:${content.levels[content.levels.indexOf(level) + 1].name}`;
  choose();
};
byId("run").onclick = () => {
  byId("shared").hidden = true;
  run();
};
byId("at").oninput = () => go(Number(byId("at").value));
byId("line").onkeydown = enter;
byId("line").oninput = complete;
window.onhashchange = open;
fill();
await open();
await started;
busy(false);
document.body.dataset.ready = "yes";
navigator.serviceWorker?.register("offline.js").catch(() => {}); // last, as it loads all files
