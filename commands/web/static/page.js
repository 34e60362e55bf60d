/* The page: a terminal, the live page beside it, and the files of this browser. The program runs in a worker. */

import { History, Line } from "./line.js";

const the = (id) => document.getElementById(id);
const base = new URL(".", location.href).href;
const NARROW = matchMedia("(max-width: 52rem)");
const DARK = matchMedia("(prefers-color-scheme: dark)");
const LONGEST = 64 * 2 ** 20; /* bytes of a file that is opened */

const page = { busy: true, asking: null, address: "", ledger: "", names: [], keeps: true, offers: new Map(), number: 0, verdicts: new Map(), entries: new Map() };

/* The terminal. */

const COLOURS = {
  light: { background: "#ffffff", foreground: "#1b1b1f", cursor: "#1b1b1f", selectionBackground: "#b9d2ff", black: "#1b1b1f", red: "#b3261e", green: "#146c2e", yellow: "#8f5a00", blue: "#0b57d0", magenta: "#86307a", cyan: "#0b57a4", white: "#585863", brightBlack: "#585863", brightRed: "#b3261e", brightGreen: "#146c2e", brightYellow: "#8f5a00", brightBlue: "#0b57d0", brightMagenta: "#86307a", brightCyan: "#0b57a4", brightWhite: "#1b1b1f" },
  dark: { background: "#131316", foreground: "#e7e7ec", cursor: "#e7e7ec", selectionBackground: "#35507f", black: "#131316", red: "#ff9389", green: "#7fd48f", yellow: "#f0b429", blue: "#8ab4f8", magenta: "#efa9df", cyan: "#7cc0ff", white: "#e7e7ec", brightBlack: "#a9a9b4", brightRed: "#ff9389", brightGreen: "#7fd48f", brightYellow: "#f0b429", brightBlue: "#8ab4f8", brightMagenta: "#efa9df", brightCyan: "#7cc0ff", brightWhite: "#ffffff" },
};
const colours = () => COLOURS[DARK.matches ? "dark" : "light"];
const terminal = new Terminal({
  convertEol: true, cursorBlink: false, fontSize: NARROW.matches ? 12 : 14, fontFamily: "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace",
  minimumContrastRatio: 4.5, screenReaderMode: true, scrollback: 5000, theme: colours(),
});
/* Words from outside, such as the name of a file: as they stand on the terminal, which none of their signs moves. */
const LONGEST_WORDS = 60;
function harmless(words, most = LONGEST_WORDS) {
  const plain = words.replace(/[\p{C}\p{Z}]+/gu, (signs) => (/^ +$/.test(signs) ? " " : "\ufffd"));
  return [...plain].length > most ? `${[...plain].slice(0, most).join("")}\u2026` : plain;
}

const fit = new FitAddon.FitAddon();
terminal.loadAddon(fit);
terminal.open(the("terminal"));
fit.fit();
new ResizeObserver(() => fit.fit()).observe(the("terminal"));
DARK.addEventListener("change", () => { terminal.options.theme = colours(); });
terminal.write("\x1b[?2004h");

const history = new History("affray history");
const line = new Line(terminal, history, {
  submit: (text) => submit(text),
  leave: (how, text) => leave(how, text),
  stop: () => stop(),
  complete: (before) => complete(before).then((found) => offer(line, before, found)),
});

/* The worker gets the page's own security policy, because it begins as a blob of this page. */
const begun = URL.createObjectURL(new Blob([`import ${JSON.stringify(new URL("worker.js", base).href)};`], { type: "text/javascript" }));
const worker = new Worker(begun, { type: "module" });
const tell = (kind, said = {}, moved = []) => worker.postMessage({ kind, ...said }, moved);

const hears = {
  text({ text }) {
    line.hide();
    terminal.write(text);
    if (line.open) line.draw();
  },
  ready(said) {
    document.documentElement.dataset.engine = "ready";
    Object.assign(page, { keeps: said.keeps });
    Object.assign(the("terminal").dataset, { floor: Math.round(said.floor), took: Math.round(said.took) });
    if (!said.waits) terminal.write("This browser cannot stop a program to ask it something: tap at the desk, which asks by forms, or type dice with --dice.\n");
    if (!said.keeps) unkept();
    state(said);
    const last = said.ledgers.includes(remembered()) ? remembered() : said.ledgers[0] ?? "";
    if (last) tell("use", { name: last });
    else prompt();
    the("shown").textContent = "";
    view(shownView());
  },
  ask({ question, standing }) {
    page.asking = question;
    mood("asking");
    line.begin(question, standing, true);
    the("sign").textContent = question;
    the("typed").value = standing;
    if (NARROW.matches) the("typed").focus();
  },
  done(said) {
    state(said);
    if (the("told").getAttribute("aria-pressed") === "true") tell("story");
    for (const name of said.changed ?? []) if (!name.endsWith(".affray")) terminal.write(`\x1b[2m${harmless(name)} is under "Keep and share".\x1b[22m\n`);
    prompt();
  },
  files: (said) => state(said),
  offers: ({ id, offers }) => page.offers.get(id)?.(offers),
  verdict: ({ verdict }) => judge(verdict),
  story: ({ text }) => drawStory(text),
  unkept: () => unkept(),
  download: ({ name, bytes }) => download(name, bytes),
  fault({ text }) {
    page.asking = null;
    terminal.write(`\x1b[1;31mThe page failed:\x1b[0m ${harmless(text.split("\n").filter(Boolean).at(-1) ?? text, 500)}\n`);
    prompt();
  },
};
worker.onmessage = ({ data }) => hears[data.kind](data);
worker.onerror = ({ message }) => hears.fault({ text: message || "The program cannot be loaded." });

/* The line. */

const mood = (state) => { the("terminal").dataset.state = state; };

function prompt() {
  if (page.asking !== null) return;
  page.busy = false;
  mood("ready");
  if (!line.open) line.begin(page.sign);
  the("sign").textContent = page.sign;
}

function state(said) {
  const before = page.ledger;
  Object.assign(page, { sign: said.sign, ledger: said.ledger, names: said.ledgers });
  if (line.open && !line.question && line.sign !== said.sign) { line.sign = said.sign; line.draw(); }
  const chosen = [...said.ledgers.map((name) => new Option(name.replace(/\.affray$/, ""), name, false, name === said.ledger))];
  the("ledger").replaceChildren(...(chosen.length ? chosen : [new Option("none yet", "")]));
  the("ledger").disabled = !said.ledgers.length;
  for (const id of ["see", "new"]) the(id).disabled = false;
  for (const id of ["verify", "download", "remove"]) the(id).disabled = !said.ledger;
  the("files").replaceChildren(...said.files.map(fileLine));
  if (said.ledger !== before) {
    remember(said.ledger);
    judge(page.verdicts.get(said.ledger) ?? null);
    view(shownView());
    for (const id of ["gm", "players"]) the(id).disabled = said.veiled;
    if (said.veiled) press("told");
    else if (the("told").getAttribute("aria-pressed") === "true") press(shownView());
  }
}

function fileLine(name) {
  const item = document.createElement("li"), button = document.createElement("button");
  button.type = "button";
  button.textContent = "Download";
  button.setAttribute("aria-label", `Download ${name}`);
  button.addEventListener("click", () => tell("download", { name }));
  item.append(name, button);
  return item;
}

function submit(text) {
  if (page.asking !== null) {
    page.asking = null;
    mood("busy");
    return tell("answer", { said: { text, left: "" } });
  }
  if (/^\s*clear\s*$/.test(text)) { terminal.clear(); return line.begin(page.sign); }
  if (!text.trim()) return line.begin(page.sign);
  page.busy = true;
  mood("busy");
  persist();
  return tell("line", { text, address: stoppable(), columns: terminal.cols });
}

/* An address that Ctrl-C takes back. */
function stoppable() {
  return page.address = URL.createObjectURL(new Blob(["."]));
}

function leave(how, text) {
  if (page.asking !== null) {
    page.asking = null;
    return tell("answer", { said: { text, left: how } });
  }
  if (how === "end") terminal.write("Close the page to leave it. Your ledgers stay in this browser.\n");
  return line.begin(page.sign);
}

function stop() {
  if (page.busy) URL.revokeObjectURL(page.address);
}

function complete(before) {
  const id = ++page.number;
  tell("offers", { line: before, id });
  return new Promise((done) => { page.offers.set(id, done); });
}

/* Completes as far as all offers agree; lists them where there are several. */
function offer(field, before, found) {
  if (!found.length) return;
  const common = found.map(({ text }) => text).reduce((one, other) => {
    let at = 0;
    while (at < one.length && one[at].toLowerCase() === other[at]?.toLowerCase()) at++;
    return one.slice(0, at);
  });
  const typed = before.slice(before.length - found[0].replaced);
  if (common.length > typed.length || found.length === 1) field.replace([...typed].length, common);
  if (found.length === 1 || common.length > typed.length) return;
  const wide = Math.max(...found.map(({ shown }) => shown.length)) + 2;
  line.hide();
  for (const { shown, meaning, hardly } of found.slice(0, 40)) {
    const told = meaning.slice(0, Math.max(0, terminal.cols - wide - 2));
    terminal.write(`  ${hardly ? "\x1b[2m" : ""}${shown.padEnd(wide)}\x1b[2m${told}\x1b[22m\n`);
  }
  if (found.length > 40) terminal.write(`  and ${found.length - 40} more\n`);
  if (line.open) line.draw();
}

/* The plain line, for a phone. */

the("plain").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = the("typed").value;
  the("typed").value = "";
  if (!line.open) return;
  line.put(text);
  line.submit();
});
the("tab").addEventListener("click", async () => {
  const field = the("typed"), before = field.value.slice(0, field.selectionStart), after = field.value.slice(field.selectionStart);
  offer({
    replace: (many, text) => {
      const kept = [...before].slice(0, [...before].length - many).join("") + text;
      field.value = kept + after;
      field.setSelectionRange(kept.length, kept.length);
    },
  }, before, await complete(before));
  field.focus();
});
let recalled = -1;
the("typed").addEventListener("input", () => { recalled = -1; });
function recall(step) {
  const from = recalled < 0 ? history.lines.length : recalled;
  recalled = Math.max(0, Math.min(history.lines.length, from + step));
  the("typed").value = history.lines[recalled] ?? "";
  the("typed").focus();
}
the("earlier").addEventListener("click", () => recall(-1));
the("typed").addEventListener("keydown", (event) => {
  if (event.key === "ArrowUp" || event.key === "ArrowDown") { event.preventDefault(); recall(event.key === "ArrowUp" ? -1 : 1); }
});
the("stop").addEventListener("click", () => (line.open && page.asking !== null ? line.take("\x03") : stop()));

/* The verdict. */

function judge(verdict) {
  const place = the("verdict");
  if (verdict?.ledger) page.verdicts.set(verdict.ledger, verdict);
  place.className = verdict && verdict.sound !== null ? (verdict.sound ? "sound" : "broken") : "";
  place.textContent = !verdict ? page.ledger ? "Not verified yet: affray verify checks it, rule by rule." : "Nothing that you type or open here leaves this browser."
    : verdict.sound ? `\u2713 ${verdict.text}` : verdict.sound === null ? verdict.text : `\u2717 Not sound: ${verdict.text}`;
  the("view").contentWindow.postMessage({ kind: "verdict", verdict: verdict?.ledger ? verdict : null }, location.origin);
}

/* The live page beside it. */

const shownView = () => (the("view").src.endsWith("#players") ? "players" : "gm");

function view(name) {
  if (!document.documentElement.dataset.engine) return;
  const { port1, port2 } = new MessageChannel();
  the("view").contentWindow.postMessage({ kind: "port" }, location.origin, [port1]);
  tell("watch", { view: name, port: port2 }, [port2]);
  the("view").contentWindow.postMessage({ kind: "verdict", verdict: page.verdicts.get(page.ledger) ?? null }, location.origin);
}

function press(name) {
  for (const other of ["gm", "players", "told"]) the(other).setAttribute("aria-pressed", String(other === name));
  the("story").hidden = name !== "told";
  the("view").hidden = name === "told";
  if (name === "told") tell("story");
}

for (const name of ["gm", "players"]) {
  the(name).addEventListener("click", () => {
    press(name);
    if (!the("view").src.endsWith(`#${name}`)) the("view").src = `view.html#${name}`;
  });
}
the("told").addEventListener("click", () => press("told"));

/* A chronicle as headings, paragraphs and lists; its text becomes text, never markup. */
function drawStory(text) {
  const lines = text.replace(/^---\n[^]*?\n---\n/, "").split("\n"), parts = [];
  let list = null;
  const within = (made, said) => {
    for (const [at, part] of said.split("**").entries()) {
      if (!part) continue;
      const piece = document.createElement(at % 2 ? "strong" : "span");
      piece.textContent = part.replace(/\\([^A-Za-z0-9\s])/g, "$1");
      made.append(piece);
    }
    return made;
  };
  for (const line of lines) {
    const [, heading, title] = /^(#{1,3}) (.*)$/.exec(line) ?? [];
    const [, item] = /^ *- (.*)$/.exec(line) ?? [];
    if (item !== undefined) {
      if (!list) parts.push(list = document.createElement("ul"));
      list.append(within(document.createElement("li"), item));
      continue;
    }
    list = null;
    if (heading) parts.push(within(document.createElement(`h${heading.length + 1}`), title));
    else if (line.trim()) parts.push(within(document.createElement("p"), line));
  }
  the("story").replaceChildren(...parts);
}
addEventListener("message", ({ source, data }) => {
  if (source === the("view").contentWindow && data.kind === "view") view(data.view);
});

/* The files of this browser. */

function remember(name) {
  try { localStorage.setItem(`affray ledger ${base}`, name); } catch { /* as long as the page */ }
}

function remembered() {
  try { return localStorage.getItem(`affray ledger ${base}`); } catch { return null; }
}

let persisted = null;
async function persist() {
  if (persisted !== null || !page.keeps) return;
  persisted = false;
  persisted = (await navigator.storage?.persist?.().catch(() => false)) ?? false;
  the("kept").textContent = persisted ? "This browser keeps your ledgers until you remove them."
    : "This browser keeps your ledgers, but may drop them when its disk is full: download what you cannot lose.";
}

function unkept() {
  page.keeps = false;
  the("kept").textContent = "This browser keeps nothing when the page is closed: download the ledger before.";
  the("verdict").textContent = the("kept").textContent;
}

function download(name, bytes) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function take(name, bytes) {
  page.busy = true;
  mood("busy");
  line.hide();
  Object.assign(line, { open: false });
  terminal.write(`\x1b[1m${harmless(name)}\x1b[22m is being verified.\n`);
  tell("take", { name, bytes, address: stoppable() });
}

async function takeFile(file) {
  if (!file) return;
  if (file.size > LONGEST) return void hears.text({ text: `${harmless(file.name)} is larger than ${LONGEST / 2 ** 20} MiB, more than a page takes.\n` });
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (/\.(affray|jsonl)$/i.test(file.name)) return void take(file.name, bytes);
  mood("busy");
  line.hide();
  line.open = false;
  terminal.write(`${harmless(file.name)} is here now: run, join, begin --from and import can read it.\n`);
  tell("put", { name: file.name, bytes });
}

/* Carries out a command as if somebody had typed it. */
function type(text) {
  if (!line.open || page.asking !== null) return;
  line.put(text);
  line.submit();
}

the("see").addEventListener("click", () => type(`affray demo ${the("campaign-system").value}`));
the("new").addEventListener("click", () => { the("campaign").returnValue = ""; the("campaign").showModal(); });
the("campaign").addEventListener("close", () => {
  const name = the("campaign-name").value.replace(/'/g, "\u2019").trim();
  if (the("campaign").returnValue && name) type(`affray init '${name}' --system ${the("campaign-system").value}`);
});
the("open").addEventListener("click", () => the("file").click());
the("file").addEventListener("change", async () => { await takeFile(the("file").files[0]); the("file").value = ""; });
addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dropping"); });
addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  takeFile(event.dataTransfer.files[0]);
});
/* The menu closes as soon as somebody goes on elsewhere, in the page or in the view. */
document.addEventListener("pointerdown", ({ target }) => { if (!the("more").contains(target)) the("more").open = false; });
addEventListener("blur", () => { the("more").open = false; });

the("ledger").addEventListener("change", () => { page.busy = true; line.hide(); line.open = false; tell("use", { name: the("ledger").value }); });
the("verify").addEventListener("click", () => { the("verdict").textContent = "Verifying rule by rule."; tell("verify"); });
the("download").addEventListener("click", () => tell("download", { name: page.ledger }));
the("remove").addEventListener("click", () => {
  question("Remove this ledger?", `${page.ledger} is gone from this browser then. A copy that you downloaded stays.`, () => tell("remove", { name: page.ledger }));
});

function question(title, text, yes) {
  the("ask-title").textContent = title;
  the("ask-text").textContent = text;
  the("ask").onclose = () => { if (the("ask").returnValue === "yes") yes(); };
  the("ask").returnValue = "";
  the("ask").showModal();
}

/* The first words. */

const bold = (text) => `\x1b[1m${text}\x1b[22m`;
const TRY = [
  ["affray demo freepg", "plays a fight that comes with it"],
  ["affray status", "shows the board"],
  ["affray log", "shows what was recorded"],
  ["affray undo", "takes the last entry back"],
  ["affray verify", "checks all of it, rule by rule"],
  ["affray help", "has the rest; Tab completes a word"],
];
terminal.write([
  `${bold("Affray")} keeps every roll of a fight at the table, so`,
  "that any round can be replayed and checked.",
  "Type already, while the program starts:",
  "",
  ...TRY.flatMap(([words, what]) => (terminal.cols < 60 ? [`  ${bold(words)}`, `    ${what}`] : [`  ${bold(words.padEnd(20))}${what}`])),
  "",
  "Or drop a ledger that somebody sent you.",
  "", "",
].join("\n"));
page.sign = "affray> ";
tell("start", { base, columns: terminal.cols });
terminal.focus();
