/* SHA-256 (FIPS 180-4), because a page that is opened as a file has no crypto.subtle in every browser. */

const [K, START] = (() => {
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
  const bits = (root) => Math.floor((root - Math.floor(root)) * 2 ** 32);
  return [Int32Array.from(primes, (prime) => bits(Math.cbrt(prime))),
          Int32Array.from(primes.slice(0, 8), (prime) => bits(Math.sqrt(prime)))];
})();

function sha256(message) {
  const size = (message.length + 72) & ~63;
  const bytes = new Uint8Array(size);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(size - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(size - 4, message.length << 3);
  const w = new Int32Array(64);
  const hash = START.slice();
  for (let at = 0; at < size; at += 64) {
    for (let t = 0; t < 16; t++) w[t] = view.getInt32(at + 4 * t);
    for (let t = 16; t < 64; t++) {
      const x = w[t - 15], y = w[t - 2];
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let t = 0; t < 64; t++) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[t] + w[t]) | 0;
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g; g = f; f = e; e = (d + t1) | 0; d = c; c = b; b = a; a = (t1 + t2) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => { hash[i] += word; });
  }
  const bytesOf = new DataView(new ArrayBuffer(32));
  hash.forEach((word, i) => bytesOf.setInt32(4 * i, word));
  return new Uint8Array(bytesOf.buffer);
}

function hmac(key, message) {
  const keyed = (pad, bytes) => {
    const block = new Uint8Array(64 + bytes.length).fill(pad, 0, 64);
    key.forEach((byte, at) => { block[at] ^= byte; });
    block.set(bytes, 64);
    return sha256(block);
  };
  return keyed(0x5c, keyed(0x36, message));
}

/* The page's own data, and its elements. */

const the = (id) => document.getElementById(id);

async function unpacked(id) {
  const bytes = Uint8Array.from(atob(the(id).textContent), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const read = (bytes) => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
const counted = (number) => number.toLocaleString("en");
const harmless = (text) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0).toString(16)}}`);
const pause = () => new Promise((resolve) => { setTimeout(resolve); });

function make(name, text, attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/* The check. */

function judge(sound, text) {
  the("check").className = sound === null ? "" : sound ? "sound" : "broken";
  the("verdict").textContent = sound === null ? text : sound ? `\u2713 ${text}` : `\u2717 Not sound: ${text}`;
}

/* What is sealed besides the boards: to be read before anything is changed. */
function letters() {
  const main = document.querySelector("main");
  const lines = Array.from(main.querySelectorAll("path"), (path) => path.getAttribute("d"));
  return utf8.encode([document.querySelector("h1").textContent, main.textContent, ...lines].join("\n"));
}

async function check(written, boards, record) {
  const { kind, seal } = the("check").dataset;
  const sealed = new Uint8Array(written.length + boards.length);
  sealed.set(written);
  sealed.set(boards, written.length);
  if (hex(sha256(sealed)) !== seal) return judge(false, "something on this page was changed.");
  const many = record.runs.reduce((sum, { lines }) => sum + lines.length, 0), all = Number(record.head);
  const results = record.runs.map(({ previous, before, lines }) => (
    verify(['{"affray":1,"players":true}', ...lines].join("\n"), sha256, hmac, previous, before)));
  const whole = many === all, wrong = results.flatMap(({ findings }) => findings).find(({ check: of }) => whole || of === "chain");
  if (wrong) return judge(false, `e${wrong.entry} is not what was recorded.`);
  const last = results[results.length - 1].head;
  if (last.startsWith(`affray e${all} `) && last !== the("head").textContent) {
    return judge(false, "the chain does not end with the head line above.");
  }
  if (kind !== "part" && !whole) return judge(false, "entries are missing from the record.");
  if (kind === "part") {
    return judge(null, `${counted(many)} of ${counted(all)} entries are on this page, and each fits its digest. `
      + "The chain is not whole, because the other entries are left out.");
  }
  const entries = `${counted(many)} ${many === 1 ? "entry" : "entries"}`;
  return judge(true, kind === "whole" ? `Sound: ${entries} in one chain, and the page is unchanged.`
    : `Sound: ${entries} in the game master's own chain. What the players do not see is left out of it, and sealed.`);
}

function compare(record) {
  const [, number, digest] = /\be([0-9]+)\s+([0-9a-f]{64})\b/.exec(the("kept").value) || [];
  const entry = record.runs.flatMap(({ lines }) => lines).map((line) => JSON.parse(line)).find((one) => one.entry === Number(number));
  const says = the("comparison");
  if (!the("kept").value.trim()) says.textContent = "";
  else if (!number) says.textContent = "That is not a head line, such as affray e12 and 64 digits.";
  else if (!entry) says.textContent = `e${number} is not on this page.`;
  else if (entry.digest === digest) says.textContent = `\u2713 The same: up to e${number} this page agrees with your head line.`;
  else says.textContent = `\u2717 Different: e${number} on this page does not agree with your head line.`;
}

/* The board. */

class Boards {
  constructor({ entries, titles, boards }) {
    Object.assign(this, { entries, titles, boards });
    this.rewind();
  }

  rewind() {
    [this.at, this.header, this.order, this.rows, this.changed] = [-1, [], [], new Map(), new Map()];
  }

  /* Afterwards `changed` holds for each row that the last step changed what it was before. */
  go(to) {
    if (to < this.at || (to === this.at && to > 0)) this.rewind();
    while (this.at < to) {
      const { h, o, r } = this.boards[++this.at];
      this.changed = new Map();
      if (h) this.header = h;
      if (o) this.order = o;
      for (const [who, cells] of r || []) {
        if (this.rows.has(who)) this.changed.set(who, this.rows.get(who));
        this.rows.set(who, cells);
      }
    }
  }
}

function draw(board) {
  the("above").replaceChildren(...board.header.map((line) => make("p", line)));
  the("table").tBodies[0].replaceChildren(...board.order.map((who) => {
    const row = document.createElement("tr");
    const name = make("th", "", { scope: "row" });
    name.append(make("div", who));
    row.append(name);
    const before = board.changed.get(who);
    board.rows.get(who).forEach((text, at) => {
      const cell = document.createElement("td");
      cell.append(make("div", text));
      if (before && before[at] !== text) {
        cell.className = "changed";
        cell.title = `before: ${before[at] || "nothing"}`;
      }
      row.append(cell);
    });
    return row;
  }));
}

function cursors(plots) {
  const svg = "http://www.w3.org/2000/svg";
  return [...document.querySelectorAll("[data-plots]")].map((group) => {
    const { left, right, top, bottom } = group.dataset;
    const places = new Map(plots[group.dataset.plots].map((entry, at) => [entry, at]));
    const lines = [...group.querySelectorAll("figure > svg")].map((plot) => {
      const line = document.createElementNS(svg, "line");
      line.setAttribute("class", "cursor");
      line.setAttribute("y1", top);
      line.setAttribute("y2", bottom);
      return plot.appendChild(line);
    });
    return (entry) => {
      const place = places.get(entry);
      const x = Number(left) + ((right - left) * (place || 0)) / Math.max(places.size - 1, 1);
      for (const line of lines) {
        line.setAttribute("x1", x);
        line.setAttribute("x2", x);
        line.style.display = place === undefined ? "none" : "";
      }
    };
  });
}

function steer(boards, record) {
  const board = new Boards(boards);
  const slider = the("at");
  const last = board.entries.length - 1;
  const recorded = record.runs.flatMap(({ lines }) => lines);
  const marks = cursors(boards.plots);
  const rounds = [...document.querySelectorAll("#log ol > li:first-child")]
    .map((item) => board.entries.indexOf(Number(item.id.slice(1))));
  const wide = matchMedia("(min-width: 64rem)");
  let current = null;

  function show(to) {
    const at = Math.min(Math.max(to, 0), last);
    const entry = board.entries[at];
    const item = the(`e${entry}`);
    board.go(at);
    draw(board);
    slider.value = at;
    const lines = [...item.querySelectorAll(".line, .step")];
    const outcomes = lines.filter((line) => line.className === "line").map((line) => line.textContent);
    const undone = item.querySelector("del") ? ", taken back" : "";
    the("told").classList.toggle("undone", Boolean(undone));
    the("told").replaceChildren(...lines.map((line) => line.cloneNode(true)));
    const words = `e${entry}${undone}`;
    slider.setAttribute("aria-valuetext", `${words}: ${outcomes.join("; ").slice(0, 200)}`);
    the("now").textContent = `${words}, ${counted(at + 1)} of ${counted(last + 1)}`;
    const { recorded_at: when, words: spoken, events } = JSON.parse(recorded[at]);
    const shown = (half, ending) => (Array.isArray(half) ? half[1] : ending);
    const told = events.filter(([open]) => Array.isArray(open)).map(([open, closed]) => open[1] + shown(closed, " ..."));
    const said = Array.isArray(spoken) ? [`${when}  ${spoken[1]}`, `affray ${spoken[2]}`] : [when];
    the("recorded").textContent = [...said, ...told].map(harmless).join("\n");
    if (current) current.removeAttribute("aria-current");
    current = item;
    current.setAttribute("aria-current", "true");
    if (wide.matches) {
      const log = the("log");
      const [inner, outer] = [item.getBoundingClientRect(), log.getBoundingClientRect()];
      if (inner.top < outer.top || inner.bottom > outer.bottom) log.scrollTop += inner.top - outer.top - outer.height / 3;
    }
    for (const mark of marks) mark(entry);
    the("back").disabled = the("round-back").disabled = at === 0;
    the("forth").disabled = the("round-forth").disabled = at === last;
  }

  const here = () => Number(slider.value);
  const settle = () => history.replaceState(null, "", `#e${board.entries[here()]}`);
  const go = (to) => { show(to); settle(); };
  const named = () => board.entries.indexOf(Number((/^#e([0-9]+)$/.exec(location.hash) || [])[1]));

  slider.addEventListener("input", () => show(here()));
  slider.addEventListener("change", settle);
  the("back").addEventListener("click", () => go(here() - 1));
  the("forth").addEventListener("click", () => go(here() + 1));
  the("round-back").addEventListener("click", () => go(rounds.findLast((at) => at < here()) ?? 0));
  the("round-forth").addEventListener("click", () => go(rounds.find((at) => at > here()) ?? last));
  the("log").addEventListener("click", (event) => {
    const link = event.target.closest("li > a");
    if (!link) return;
    event.preventDefault();
    go(board.entries.indexOf(Number(link.hash.slice(2))));
    if (!wide.matches) the("board").scrollIntoView();
  });
  const follow = () => {
    if (named() < 0) return false;
    show(named());
    if (!wide.matches) the("board").scrollIntoView();
    return true;
  };
  addEventListener("hashchange", follow);
  if (!follow()) show(last);
}

async function begin() {
  judge(null, "Checking the chain.");
  const written = letters();
  let boards, record;
  try {
    boards = await unpacked("boards");
    record = read(await unpacked("record"));
    steer(read(boards), record);
  } catch (error) {
    return judge(false, typeof DecompressionStream === "undefined"
      ? "this browser is too old to read the record on this page."
      : "the record on this page is damaged and cannot be read.");
  }
  for (const part of document.querySelectorAll(".script")) part.hidden = false;
  the("kept").addEventListener("input", () => compare(record));
  await pause();
  return check(written, boards, record);
}

begin();
