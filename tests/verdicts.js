/* Reads file names from standard input, and prints the verdict of verify.js on each: the first entry and its check. */
const [fs, crypto] = [require("fs"), require("crypto")];
const source = process.argv.slice(2).map((name) => fs.readFileSync(name, "utf8")).join("\n");
const made = new Function(`${source}; return { verify, framed, joined, hex, unhex };`)();
const sha256 = (bytes) => new Uint8Array(crypto.createHash("sha256").update(bytes).digest());
const hmac = (key, bytes) => new Uint8Array(crypto.createHmac("sha256", key).update(bytes).digest());

const decoded = (bytes) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);

function verdict(file) {
  try {
    const { head, findings: [first] } = made.verify(decoded(fs.readFileSync(file)), sha256, hmac);
    return first ? [first.entry, first.check] : [head, "sound"];
  } catch (error) {
    return [0, "chain"];
  }
}

function vectors(file) {  // how many results are not those of the file
  const { framed, joined, hex, unhex } = made;
  const held = JSON.parse(fs.readFileSync(file, "utf8"));
  const leaf = (blind, texts) => hex(sha256(framed([unhex(blind), ...texts])));
  const seed = (key, ...texts) => hmac(hmac(unhex(key), Buffer.from("blinds 0")), framed(texts));
  const both = (seed, place) => hex(sha256(framed([seed, place]))).match(/.{32}/g);
  return [
    ...held.secrets.map(([key, use, epoch, before, due, committed]) => {
      const found = hmac(unhex(key), Buffer.from(`${use} ${epoch} ${before}`.trimEnd()));
      return hex(found) === due && hex(sha256(found)) === committed;
    }),
    ...held.dice_keys.map(([key, words, due]) => hex(hmac(unhex(key), Buffer.from(words))) === due),
    ...held.blinds.map(([key, previous, entry, events, said, due, ofSeal]) => {
      const closed = events.map(([, half]) => half).filter(Boolean);
      const found = seed(key, previous, entry, ...events.map(([half]) => half), ...said, ...closed);
      if (due.length !== closed.length + 2) return false;
      return due.every((one, nth) => both(found, Math.floor(nth / 2))[nth % 2] === one) && both(found, "seal")[0] === ofSeal;
    }),
    ...held.leaves.map(([blind, texts, due]) => leaf(blind, texts) === due),
    ...held.digests.map(([previous, ...rest]) => {
      const [due, leaves, ...heading] = [...rest].reverse();
      return hex(sha256(framed(["affray entry 1", previous, ...heading.reverse(), joined(leaves.map(unhex))]))) === due;
    }),
  ].filter((same) => !same).length;
}

const names = fs.readFileSync(0, "utf8").split("\n").filter(Boolean);
console.log(JSON.stringify(names.map((name) => (name.endsWith("vectors.json") ? vectors(name) : verdict(name)))));
