"use strict";
// Follows the ledger and shows its board and its log. docs/serve.md describes what the server sends.

const LONGEST_LOG = 400; // entries that the page keeps
const SILENT = 40_000; // milliseconds without a beat after which the connection counts as lost
const token = location.hash.slice(1);
const page = { program: "", known: "", board: { lines: [], order: [], rows: {} }, log: new Map(), head: 0, digest: "" };

function at(id) {
  return document.getElementById(id);
}

function made(kind, text, ...within) {
  const element = document.createElement(kind);
  if (text) element.textContent = text;
  element.append(...within);
  return element;
}

/** The numbers of the entries that stand: from the head on back, each stands after another. */
function standing() {
  const found = new Set();
  for (let number = page.head; page.log.has(number); number = page.log.get(number).after) found.add(number);
  return found;
}

function showBoard() {
  const { lines, order, rows } = page.board;
  at("lines").replaceChildren(...lines.map((line) => made("p", line)));
  const titles = [...new Set(order.flatMap((who) => Object.keys(rows[who] ?? {}).filter((title) => rows[who][title])))];
  const head = made("tr", "", ...["", ...titles].map((title) => made("th", title)));
  const body = order.map((who) => {
    const name = made("th", who);
    name.scope = "row";
    return made("tr", "", name, ...titles.map((title) => made("td", rows[who]?.[title] ?? "")));
  });
  at("board").replaceChildren(...(order.length ? [head, ...body] : []));
}

function showLog() {
  const stands = standing();
  const items = [...page.log.values()].reverse().filter((entry) => entry.told.length).map((entry) => {
    const item = made("li");
    if (!stands.has(entry.entry) && !entry.lasts) item.className = "undone";
    entry.told.forEach((one, nth) => {
      item.append(made("p", nth ? one.outcome : `${one.outcome}  e${entry.entry}`));
      const steps = made("p", one.arithmetic.join("\n"));
      steps.className = "steps";
      if (one.arithmetic.length) item.append(steps);
    });
    return item;
  });
  at("log").replaceChildren(...items);
}

function show() {
  showBoard();
  showLog();
  at("head").textContent = `e${page.head} ${page.digest}`;
}

const hears = {
  whole(said) {
    if (page.program && page.program !== said.program) location.reload(); // a newer program has a newer page
    page.program = said.program;
    page.board = said.board;
    page.log = new Map(said.log.map((entry) => [entry.entry, entry]));
    page.head = said.head;
    page.digest = said.digest;
    at("campaign").textContent = document.title = said.campaign;
    show();
  },
  entry(said) {
    const { lines, order, rows } = said.board;
    if (lines) page.board.lines = lines;
    if (rows) page.board.rows = { ...page.board.rows, ...rows };
    if (order) page.board.order = order;
    page.log.set(said.entry, said);
    if (page.log.size > LONGEST_LOG) page.log.delete(page.log.keys().next().value);
    page.head = said.entry;
    page.digest = said.digest;
    show();
  },
  trouble(said) {
    at("standing").textContent = said.text || "Live";
  },
};

/** Takes one event of the stream. */
function hear(text) {
  const fields = { event: "", id: "", data: "" };
  for (const line of text.split("\n")) {
    const [, name, value] = /^(\w+): (.*)$/.exec(line) ?? [];
    if (name in fields) fields[name] = value;
  }
  if (Object.hasOwn(hears, fields.event)) hears[fields.event](JSON.parse(fields.data));
  if (fields.id) page.known = fields.id;
}

/** Reads one connection to its end. EventSource cannot send the token, so the stream is read here. */
async function listen() {
  const leave = new AbortController();
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (page.known) headers["Last-Event-ID"] = page.known;
  let timer = setTimeout(() => leave.abort(), SILENT);
  try {
    const answer = await fetch("/events", { headers, cache: "no-store", signal: leave.signal });
    if (answer.status === 401) {
      at("standing").textContent = "This is not the game master's address. Take the one that affray serve prints.";
      return false;
    }
    if (!answer.ok) return true;
    at("standing").textContent = "Live";
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let rest = ""; ; ) {
      const { value, done } = await reader.read();
      if (done) return true;
      clearTimeout(timer);
      timer = setTimeout(() => leave.abort(), SILENT);
      const events = (rest + value).split("\n\n");
      rest = events.pop();
      events.forEach(hear);
    }
  } catch {
    return true;
  } finally {
    clearTimeout(timer);
  }
}

async function follow() {
  for (let pause = 250; ; pause = Math.min(2 * pause, 4000)) {
    const began = Date.now();
    if (!(await listen())) return;
    at("standing").textContent = "The connection is lost. Trying again.";
    if (Date.now() - began > 5000) pause = 250;
    await new Promise((done) => setTimeout(done, pause * (0.5 + Math.random())));
  }
}

follow();
