/* Checks JSON Lines, whole or for players, as docs/store.md says. sha256(bytes) and hmac(key, bytes) give bytes. */
const utf8 = new TextEncoder(), streams = ["open dice", "hidden dice"];
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const isHex = (text, digits) => typeof text === "string" && text.length === digits && /^[0-9a-f]*$/.test(text);
const big = (number, width = 8) => unhex(BigInt(number).toString(16).padStart(2 * width, "0"));
const joined = (parts) => Uint8Array.from(parts.flatMap((part) => Array.from(part)));
const framed = (texts) => joined(texts.map((text) => (text instanceof Uint8Array ? text : utf8.encode(String(text))))
  .flatMap((bytes) => [big(bytes.length), bytes]));
function rawEvents(line) {  // the events of a line of a whole export, each with the very bytes that stand there
  let [list, found, start, depth] = [line.slice(line.indexOf('"events":[') + 10), [], 0, 0];
  for (const { 0: sign, index } of list.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g)) {
    depth += { "{": 1, "[": 1, "}": -1, "]": -1 }[sign] ?? 0;
    if (depth < 0 || (sign === "," && !depth)) start = found.push(utf8.encode(list.slice(start, index))) && index + 1;
    if (depth < 0) break;
  }
  return found;
}
function verify(text, sha256, hmac, previous = "0".repeat(64), before = 0) {  // { head, findings: [{ entry, check }], proven, unproven, hand }
  const [first, ...lines] = text.replace(/\n$/, "").split("\n"), findings = [], secrets = [[], []];
  const epochs = [{ words: "", first: [1, 1] }], drawn = [0, 0], thrown = new Set(), counted = new Set(), diceKeys = {};
  let [key, blinds, count] = [null, null, { proven: 0, unproven: 0, hand: 0 }];
  const own = (use, epoch) => hmac(key, utf8.encode(`${use} ${epoch}`)), leaf = (blind, ...texts) => sha256(framed([blind, ...texts]));
  function read(line) {  // an entry, its leaves, and its events as far as they are shown
    const entry = JSON.parse(line), { splits } = entry;
    if (!key) {
      const parts = [entry.words, entry.counts, ...entry.events.flatMap(([open, closed]) => [open, closed])];
      if (!parts[2] || !parts.every((part) => isHex(...(Array.isArray(part) ? [part[0], 32] : [part, 64])))) throw new Error("no parts");
      const rest = (open, closed) => (Array.isArray(closed) ? closed[1] : "}".repeat(1 + /"said":{/.test(open)));
      const shown = entry.events.filter(([open]) => Array.isArray(open)).map(([open, closed]) => open[1] + rest(open[1], closed));
      const leaves = parts.map((part) => (Array.isArray(part) ? leaf(unhex(part[0]), ...part.slice(1)) : unhex(part)));
      return [entry, leaves, shown.map((event) => JSON.parse(event))];
    }
    const secret = hmac(blinds, big(entry.entry)), raw = rawEvents(line);
    if (!raw[0]?.length || raw.length !== splits.length || !splits.every((at) => at >= 0)) throw new Error("not halved");
    const pair = (part) => { const both = sha256(joined([secret, big(part)])); return [both.slice(0, 16), both.slice(16)]; };
    const [words, counts] = pair(0), leaves = [leaf(words, entry.by, entry.typed, entry.once), leaf(counts, entry.drawn, entry.hidden)];
    raw.forEach((body, at) => pair(at + 1).forEach((blind, closed) => leaves.push(
      leaf(blind, closed ? body.slice(splits[at]) : body.slice(0, splits[at])))));
    return [entry, leaves, entry.events];
  }
  function face(hidden, place, sides) {  // what a die must show; null where its secret is not known
    const at = epochs.findLastIndex((epoch) => epoch.first[hidden] <= place);
    const secret = key ? own(streams[hidden], at) : secrets[hidden][at];
    const diceKey = diceKeys[`${hidden} ${at}`] ??= secret && hmac(secret, utf8.encode(epochs[at].words));
    for (let attempt = 0; diceKey; attempt++) {
      const words = hex(hmac(diceKey, joined([big(place), big(attempt, 4)]))).match(/.{8}/g).map((word) => parseInt(word, 16));
      const number = words.find((word) => word < 2 ** 32 - 2 ** 32 % sides);
      if (number !== undefined) return number % sides + 1;
    }
    return null;
  }
  function isWrong(entry, event, times) {  // whether a commitment, an epoch or a die is not what it should be
    if (event.event === "dice-revealed") {
      const past = known.slice(0, epochs.length - 1).map((pair) => pair[+event.hidden]);
      return String(event.secrets.map((secret) => hex(sha256(unhex(secret))))) !== String(past);
    }
    const said = { "campaign-began": event.commitments, "stirred": [event.commitments] }[event.event], from = event.epoch ? event.epoch + 1 : 0;
    if (key && said && String(said) !== String(said.map((_, at) => streams.map((use) => hex(sha256(own(use, from + at))))))) return true;
    if (event.event === "stirred") {
      const due = event.epoch === epochs.length && event.first === drawn[0] + 1 && event.words;
      epochs.push({ words: event.words, first: [event.first, event.first_hidden ?? Infinity] });
      return !due || (key && event.first_hidden !== drawn[1] + 1);
    }
    if (event.event !== "rolled" || !event.places) return false;
    const sizes = event.dice.split("+").flatMap((group) => Array(+(group.split("d")[0] || 1)).fill(+group.split("d")[1]));
    return event.places.map((signed, die) => {
      const hidden = +(signed < 0), place = Math.abs(signed), named = JSON.stringify([entry.origin, event.purpose, sizes[die], signed]);
      count.hand += !signed;
      const again = !signed || (place <= drawn[hidden] && entry.origin !== entry.entry), due = signed && face(hidden, place, sizes[die]);
      const twice = signed in times || (times[signed] = false);
      const misplaced = signed && (key || !hidden) && (again ? twice || !thrown.has(named) : place !== drawn[hidden] + 1);
      drawn[hidden] += !again;
      count[due === null ? "unproven" : "proven"] += signed && !counted.has(signed);
      thrown.add(named); counted.add(signed);
      return misplaced || (signed && due !== null && due !== event.faces[die]);
    }).some(Boolean);
  }
  const opening = JSON.parse(first);
  if (opening.affray !== 1 || !(opening.players === true || isHex(opening.key, 64))) throw new Error("no export of a ledger");
  if (opening.key) blinds = (key = unhex(opening.key)) && own("blinds", 0);
  const entries = lines.map((line) => { try { return read(line); } catch { return null; } });
  const all = entries.flatMap((one) => one?.[2] ?? []), of = (kind) => all.filter((event) => event.event === kind);
  const known = [...of("campaign-began").flatMap((event) => event.commitments), ...of("stirred").map((event) => event.commitments)];
  of("dice-revealed").forEach(({ hidden, secrets: said }) => said.map(unhex).forEach((secret, epoch) => {
    if (hex(sha256(secret)) === known[epoch]?.[+hidden]) secrets[+hidden][epoch] = secret;
  }));
  entries.every((one, index) => {
    const [entry, leaves, events] = one ?? [{}, [], []], numbers = [entry.entry, entry.after, entry.command, entry.origin], times = {};
    const digest = hex(sha256(framed(["affray entry 1", previous, ...numbers, entry.recorded_at, entry.program, joined(leaves)])));
    const number = before + index + 1, sound = one && entry.entry === number && digest === entry.digest;
    const wrong = sound && events.map((event) => isWrong(entry, event, times)).some(Boolean);
    const counts = !key || (entry.drawn === drawn[0] && entry.hidden === drawn[1]);
    if (!sound || wrong || !counts) findings.push({ entry: number, check: sound ? "dice" : "chain" });
    previous = digest;
    return sound;
  });
  return { head: `affray e${before + lines.length} ${previous}`, findings, ...count };
}
