/* Runs the program: takes lines from the page, and says what they print. One command is carried out at a time. */

import { loadPyodide } from "./engine/pyodide.mjs";
import { Files } from "./files.js";

const LOOKED = 100; /* milliseconds between two looks whether Ctrl-C was pressed */
const PATIENT = 500; /* milliseconds after which what a command has printed so far is shown */
const HERE = "/ledgers/";
const waits = typeof WebAssembly.Suspending === "function"; /* whether Python can wait for an answer */

let python, engine, files, news;
let printed = "", since = 0, answering = null, stopping = "", looked = 0;
const watchers = new Map(); /* the views that are looked at, by their port */

const say = (kind, said = {}) => postMessage({ kind, ...said });

function flush() {
  if (printed) say("text", { text: printed });
  printed = "";
}

function device() {
  const decoder = new TextDecoder();
  return {
    isatty: waits,
    write(bytes) {
      printed += decoder.decode(bytes, { stream: true });
      if (performance.now() - since > PATIENT || printed.length > 65536) {
        flush();
        since = performance.now();
      }
      return bytes.length;
    },
  };
}

/* Whether an address of the page was taken back. */
function gone(address) {
  try {
    const asked = new XMLHttpRequest();
    asked.open("GET", address, false);
    asked.send();
    return asked.status !== 200;
  } catch {
    return true;
  }
}

/* Ctrl-C cannot reach a worker that is busy, but it takes back an address that the worker can still look at. */
const interrupts = {
  get 0() {
    if (!stopping || performance.now() - looked < LOOKED) return 0;
    looked = performance.now();
    if (!gone(stopping)) return 0;
    stopping = "";
    return 2;
  },
  set 0(value) {},
};

/* What Python waits for: the answer to a question. */
function ask(question, standing) {
  flush();
  const held = stopping;
  stopping = "";
  say("ask", { question, standing });
  return new Promise((done) => {
    answering = (said) => {
      answering = null;
      stopping = held;
      done(said);
    };
  });
}

async function start({ base, columns }) {
  const began = performance.now();
  files = new Files(base);
  const opening = files.open().then(() => true, () => false);
  const packed = fetch(new URL("engine/affray.xz", base)).then((found) => found.arrayBuffer());
  python = await loadPyodide({
    indexURL: new URL("engine/", base).href,
    env: { HOME: "/", TERM: "xterm-256color", COLUMNS: String(columns), AFFRAY_BY: "" },
  });
  const floor = performance.now() - began;
  python.setStdout(device());
  python.setStderr(device());
  python.setStdin({ isatty: waits, stdin: () => null });
  python.setInterruptBuffer(interrupts);
  python.FS.writeFile("/affray.xz", new Uint8Array(await packed));
  python.FS.mkdir(HERE);
  const keeps = await opening;
  if (keeps) await load();
  python.registerJsModule("affray_page", { ask });
  engine = python.runPython(`
import json, lzma, os, sys
with open("/affray.xz", "rb") as file:
    index, _, rest = lzma.decompress(file.read()).partition(b"\\n")
os.remove("/affray.xz")
at, made = 0, set()
for name, size in json.loads(index):
    path = f"/program/{name}"
    if (folder := os.path.dirname(path)) not in made:
        os.makedirs(folder, exist_ok=True)
        made.add(folder)
    with open(path, "wb") as file:
        file.write(rest[at:at + size])
    at += size
del rest, index
os.chdir("${HERE}")
sys.path.insert(0, "/program")
from commands.web.engine import begin
begin()
`);
  engine.changes();
  say("ready", { floor, took: performance.now() - began, keeps, waits, ...state() });
  if (keeps && "BroadcastChannel" in globalThis) {
    news = new BroadcastChannel(`affray ${base}`);
    news.onmessage = () => queue(async () => {
      await load();
      await look();
      say("files", state());
    });
  }
}

const state = () => ({ ...JSON.parse(engine.state()) });

/* Brings the files of the other tabs. */
async function load() {
  const { changed, gone } = await files.news();
  for (const { name, bytes } of changed) python.FS.writeFile(HERE + name, bytes);
  for (const name of gone) if (python.FS.analyzePath(HERE + name).exists) python.FS.unlink(HERE + name);
  if (engine && changed.length + gone.length) engine.changes();
}

/* Keeps what changed. */
async function save() {
  const { changed, gone } = JSON.parse(engine.changes());
  const others = [];
  for (const name of changed) {
    const kept = await files.keep(name, python.FS.readFile(HERE + name));
    if (kept === name) continue;
    engine.renamed(name, kept); /* another tab has taken the name meanwhile */
    others.push(`Another tab has made a ${name} meanwhile; this one is ${kept}.\n`);
  }
  for (const name of gone) await files.remove(name);
  if (changed.length + gone.length) news?.postMessage("");
  return [changed, others.join("")];
}

/* Does some work as the only tab that writes into the current ledger, keeps what changed, and then shows what was printed. */
async function alone(work) {
  const name = `affray ${files.base}${JSON.parse(engine.state()).ledger}`;
  const held = async () => {
    if (files.db) await load();
    since = performance.now();
    let failed = "", changed = [], done;
    try {
      done = await work();
    } finally {
      stopping = "";
      if (files.db) {
        try {
          [changed, failed] = await save();
        } catch (error) {
          failed = `This browser did not keep the last change: ${error?.message ?? error}. Download the ledger now.\n`;
          say("unkept");
        }
      }
    }
    printed += failed;
    flush();
    return [done, changed];
  };
  if (!navigator.locks) return held();
  const waiting = setTimeout(() => say("text", { text: "Another tab is busy with this ledger; waiting for it.\n" }), 400);
  return navigator.locks.request(name, () => {
    clearTimeout(waiting);
    return held();
  });
}

async function carryOut({ text, address, columns }) {
  python.runPython(`os.environ["COLUMNS"] = "${Number(columns)}"`);
  const lines = text.split("\n").filter((line) => line.trim());
  let changes = [];
  for (let at = 0; at < lines.length; at++) {
    if (at && gone(address)) {
      say("text", { text: `\nInterrupted. The rest was not carried out: ${lines.length - at} line${lines.length - at > 1 ? "s" : ""}.\n` });
      break;
    }
    const [done, changed] = await alone(async () => {
      stopping = address;
      return waits ? engine.carry_out.callPromising(lines[at]) : engine.carry_out(lines[at]);
    });
    changes = [...changes, ...changed];
    await look();
    if (done && /^\s*(affray\s+)?verify(\s|$)/.test(lines[at])) say("verdict", { verdict: JSON.parse(engine.verdict()) });
    if (done) continue;
    const rest = lines.length - at - 1;
    if (rest) say("text", { text: `The rest was not carried out: ${rest} line${rest > 1 ? "s" : ""}.\n` });
    break;
  }
  engine.renew();
  flush();
  say("done", { ...state(), changed: changes });
}

/* Sends each view what it does not have yet. */
async function look() {
  for (const [port, watched] of watchers) {
    const pieces = engine.view(watched.view, watched.known).toJs();
    const text = new TextDecoder().decode(pieces);
    const ids = [...text.matchAll(/^id: (.*)$/gm)];
    if (ids.length) watched.known = ids.at(-1)[1];
    if (text) port.postMessage({ kind: "events", text });
  }
}

function watch({ port, view }) {
  for (const other of watchers.keys()) other.close();
  watchers.clear();
  watchers.set(port, { view, known: "" });
  port.onmessage = ({ data }) => queue(async () => {
    if (data.kind === "digest") port.postMessage({ kind: "answer", id: data.id, text: engine.digest(data.number) });
    if (data.kind === "desk") {
      const [text] = data.asked === "say" ? await alone(() => engine.desk(data.asked, data.tap)) : [engine.desk(data.asked, data.tap)];
      port.postMessage({ kind: "answer", id: data.id, text });
      if (data.asked !== "say") return;
      await look();
      engine.renew();
      flush();
      say("done", state());
    }
    if (data.kind === "drawings") {
      let text;
      try { text = engine.drawings(view); } catch (error) { text = "<p>This cannot be told now.</p>"; }
      port.postMessage({ kind: "answer", id: data.id, text });
    }
  });
  queue(look);
}

const does = {
  start,
  line: carryOut,
  async use({ name }) {
    engine.use(name);
    await look();
    flush();
    say("done", state());
  },
  async take({ name, bytes, address }) {
    const [verdict] = await alone(() => {
      stopping = address;
      const free = engine.free(name);
      python.FS.writeFile(HERE + free, bytes);
      return JSON.parse(engine.take(free));
    });
    await look();
    say("verdict", { verdict });
    say("done", state());
  },
  async put({ name, bytes }) {
    await alone(() => {
      python.FS.writeFile(HERE + engine.free(name), bytes);
    });
    say("done", state());
  },
  async story() {
    say("story", { text: engine.story() });
  },
  async verify() {
    say("verdict", { verdict: JSON.parse(engine.verdict()) });
  },
  async remove({ name }) {
    await alone(() => {
      if (state().ledger === name) engine.use("");
      python.FS.unlink(HERE + name);
    });
    await look();
    say("done", state());
  },
  async download({ name }) {
    say("download", { name, bytes: python.FS.readFile(HERE + name) });
  },
  async offers({ line, id }) {
    say("offers", { id, offers: JSON.parse(engine.offers(line)) });
  },
};

let line = Promise.resolve();

function queue(work) {
  line = line.then(work).catch((error) => {
    flush();
    say("fault", { text: String(error?.message ?? error) });
  });
}

onmessage = ({ data }) => {
  if (data.kind === "answer") answering?.(data.said);
  else if (data.kind === "watch") watch(data);
  else queue(() => does[data.kind](data));
};
