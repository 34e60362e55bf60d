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

/* Data of the page: JSON, compressed, then what its marks stand for, 16 bytes as 32 digits each. */
async function unpacked(id) {
  const [packed, digits] = the(id).textContent.split(" ").map((word) => Uint8Array.from(atob(word), (sign) => sign.charCodeAt(0)));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  let at = 0;
  const text = (await new Response(stream).text()).replaceAll("\u0001", () => hex(digits.subarray(at, at += 16)));
  return utf8.encode(text);
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
  the("mark").className = the("check").className;
  the("mark").textContent = sound === null ? "Check of the chain" : sound ? "\u2713 Sound" : "\u2717 Not sound";
}

/* What is wrong with a record by the last head that this browser has seen of its campaign, which `began` names: the digest
   of the first entry. "" if nothing is; then the head is kept, also for the next time that the page is loaded. `digestOf`
   gives null while it asks for a digest, and so does this. */
const heads = new Map();
function lost(began, number, digest, digestOf) {
  const place = `affray ${began}`, stored = () => { try { return localStorage.getItem(place); } catch { return null; } };
  if (!heads.has(place)) heads.set(place, stored() ?? "0 ");
  const [last, kept] = heads.get(place).split(" "), seen = `This browser has seen affray e${last} ${kept} of this campaign.`;
  if (number < last) return `the record is shorter than it was: it ends with e${number}. ${seen}`;
  const known = Number(last) === number ? digest : digestOf(Number(last));
  if (known === null) return null;
  if (known && known !== kept) return `the record is other than it was: e${last} differs. ${seen}`;
  heads.set(place, `${number} ${digest}`);
  try { if (number > parseInt(stored() ?? "0", 10)) localStorage.setItem(place, `${number} ${digest}`); } catch { /* kept until the page is closed */ }
  return "";
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
    verify(['{"affray":1,"players":true}', ...lines].join("\n"), sha256, hmac, previous, before, many === all)));
  const whole = many === all, wrong = results.flatMap(({ findings }) => findings).find(({ check: of }) => whole || of === "chain");
  if (wrong) return judge(false, `e${wrong.entry} is not what was recorded.`);
  const last = results[results.length - 1].head;
  if (last.startsWith(`affray e${all} `) && last !== the("head").textContent) {
    return judge(false, "the chain does not end with the head line above.");
  }
  if (kind !== "part" && !whole) return judge(false, "entries are missing from the record.");
  const digests = new Map(record.runs.flatMap(({ lines }) => lines.map((line) => JSON.parse(line))).map((line) => [line.entry, line.digest]));
  const missing = lost(record.began, all, the("head").textContent.split(" ")[2], (number) => digests.get(number));
  if (missing) return judge(false, missing);
  if (kind === "part") {
    return judge(null, `${counted(many)} of ${counted(all)} entries are on this page, and each fits its digest. `
      + "The chain is not whole, because the other entries are left out.");
  }
  const entries = `${counted(many)} ${many === 1 ? "entry" : "entries"}`;
  return judge(true, kind === "whole" ? `Sound: ${entries} in one chain, and the page is unchanged.`
    : `Sound: ${entries} in the game master's own chain. What the players do not see is left out of it, and sealed.`);
}

/* `digestOf` gives the digest of the entry with a number, if the page knows it, and null while it asks. */
function compare(digestOf) {
  const [, number, digest] = /\be([0-9]+)\s+([0-9a-f]{64})\b/.exec(the("kept").value) || [];
  const known = digestOf(Number(number));
  const says = the("comparison");
  if (!the("kept").value.trim()) says.textContent = "";
  else if (!number) says.textContent = "That is not a head line, such as affray e12 and 64 digits.";
  else if (known === null) says.textContent = "";
  else if (!known) says.textContent = `e${number} is not on this page.`;
  else if (known === digest) says.textContent = `\u2713 The same: up to e${number} this page agrees with your head line.`;
  else says.textContent = `\u2717 Different: e${number} on this page does not agree with your head line.`;
}

