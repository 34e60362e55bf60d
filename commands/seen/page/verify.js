/* Checks JSON Lines, whole or for players, as docs/store.md says; KINDS stands in kinds.js. sha256(bytes) and
   hmac(key, bytes) give bytes. No loop runs longer than the file, or 100 dice, or 1,000 attempts at a face. */
const utf8 = new TextEncoder(), streams = ["open dice", "hidden dice"], most = 2 ** 53;
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const isHex = (text, digits) => typeof text === "string" && text.length === digits && /^[0-9a-f]*$/.test(text);
const big = (number, width = 8) => unhex(BigInt(number).toString(16).padStart(2 * width, "0"));
const bytesOf = (text) => (text instanceof Uint8Array ? text : utf8.encode(String(text)));
function joined(parts) {
  const made = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => { made.set(part, at); return at + part.length; }, 0);
  return made;
}
const framed = (texts) => joined(texts.map(bytesOf).flatMap((bytes) => [big(bytes.length), bytes]));
function must(holds, what) { if (!holds) throw new Error(what); }

/* Canonical JSON: no blank, no key twice, whole numbers below 2^53. An object becomes a Map; `ends` says where each value
   of a list or an object ends. */
function canonical(text, deepest = 64) {
  const string = /"(?:[^"\\\u0000-\u001f]|\\["\\bfnrt]|\\u00(?:0[0-7be-f]|1[0-9a-f]))*"/y, plain = /true|false|null|0|-?[1-9][0-9]*/y;
  let [at, depth] = [0, 0];
  function token(pattern) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    must(found, "not canonical");
    at = pattern.lastIndex;
    return JSON.parse(found[0]);
  }
  function value() {
    const sign = text[at], start = at;
    if (sign === '"') return token(string);
    if (sign !== "{" && sign !== "[") { const one = token(plain); must(typeof one !== "number" || Math.abs(one) < most, "too large"); return one; }
    const made = sign === "{" ? new Map() : [];
    [made.start, made.ends] = [start, []];
    must((depth += 1) <= deepest, "too deep");
    for (at += 1; text[at] !== "}" && text[at] !== "]"; at += text[at] === "," && text[at + 1] !== "}" && text[at + 1] !== "]") {
      const size = made.ends.length, key = sign === "{" ? token(string) : size;
      must(!size || text[made.ends[size - 1]] === ",", "no comma");
      must(sign === "[" || (!made.has(key) && text[at++] === ":"), "no key of its own");
      if (sign === "{") made.set(key, value()); else made.push(value());
      made.ends.push(at);
    }
    must(text[at] === (sign === "{" ? "}" : "]"), "not closed");
    [at, depth] = [at + 1, depth - 1];
    return made;
  }
  const made = value();
  must(at === text.length, "more than one value");
  return made;
}
const sorts = (a, b) => (hex(utf8.encode(a)) < hex(utf8.encode(b)) ? -1 : 1);
function isSorted(value, first = []) {
  if (Array.isArray(value)) return value.every((one) => isSorted(one));
  if (!(value instanceof Map)) return true;
  const keys = [...value.keys()], begun = first.filter((key) => value.has(key));
  const due = [...begun, ...keys.filter((key) => !begun.includes(key)).sort(sorts)];
  return keys.every((key, nth) => key === due[nth]) && [...value.values()].every((one) => isSorted(one));
}
const same = (value, other) => value === other || (value instanceof Map ? !value.size && String(other) === "[object Object]"
  : Array.isArray(value) && !value.length && Array.isArray(other));
function fits(value, shape) {
  if (typeof shape === "string") return {
    text: typeof value === "string", whole: typeof value === "number", truth: typeof value === "boolean", none: value === null, raw: true,
    sorted: value instanceof Map && isSorted(value), said: value instanceof Map && isSorted(value, ["who", "target"]),
  }[shape];
  if (shape.of) return shape.of.includes(value);
  if (shape.any) return shape.any.some((one) => fits(value, one));
  if (shape.fields) return value instanceof Map && hasFields(value, shape.fields);
  if (!Array.isArray(value)) return false;
  return shape.list ? value.every((one) => fits(one, shape.list)) : value.length === shape.row.length && value.every((one, nth) => fits(one, shape.row[nth]));
}
function hasFields(map, fields) {
  const shown = fields.filter(([name, , ...rest]) => map.has(name) || !rest.length).map(([name]) => name);
  return shown.length === map.size && [...map.keys()].every((key, nth) => key === shown[nth])
    && fields.every(([name, shape, ...rest]) => !map.has(name) || (fits(map.get(name), shape) && !(rest.length && same(map.get(name), rest[0]))));
}
function readEvent(open, closed) {  // a Map of what is shown of an event; null where nothing of it is. closed: null if it is left out
  if (closed === null && !open) return null;
  const declares = open.startsWith('{"event":"declared",'), text = open + (closed ?? (declares ? "}}" : "}")), event = canonical(text);
  const kind = event.get("event"), keys = [...event.keys()];
  must(keys[0] === "event" && Object.hasOwn(KINDS, kind), "no event");
  let [opened, fields] = KINDS[kind];
  if (kind === "ruled" && (/[0-9]/.test(event.get("outcome")) || (closed === null && !event.has("outcome")))) opened -= 1;
  const shown = closed === null ? fields.slice(0, opened) : fields, first = fields.slice(0, opened).map(([name]) => name);
  must(hasFields(new Map([...event].slice(1)), shown), "another field, or in another half");
  let end = opened ? event.ends[keys.findLastIndex((key) => key === "event" || first.includes(key))] : 0;
  if (kind === "declared") {
    const said = event.get("said"), names = [...said.keys()].filter((key) => key === "who" || key === "target");
    end = names.length ? said.ends[names.length - 1] : said.start + 1;
    must(closed !== null || names.length === said.size, "more than names is open");
  }
  must(opened === fields.length ? closed === "" : end === open.length, "halved elsewhere");
  return event;
}

const ofKind = (events, ...kinds) => (events ?? []).filter((event) => kinds.includes(event?.get("event")));

function verify(text, sha256, hmac, previous = "0".repeat(64), before = 0, whole = true) {  // { head, findings: [{ entry, check }], proven, unproven, hand, skipped }
  const [opening, ...lines] = text.replace(/\n$/, "").split("\n"), findings = [], count = { proven: 0, unproven: 0, hand: 0, skipped: 0 };
  const players = opening === '{"affray":1,"players":true}', key = players ? null : unhex(/^\{"affray":1,"key":"([0-9a-f]{64})"\}$/.exec(opening)?.[1] ?? "");
  must((players || key.length) && lines.length, "no export of a ledger");
  const own = (use, epoch, committed = "") => hmac(key, utf8.encode(`${use} ${epoch} ${committed}`.trimEnd())), leaf = (blind, ...texts) => sha256(framed([blind, ...texts]));
  const blinds = key && own("blinds", 0), once = new Set();

  /* First pass: every line in its form, and its digest. */
  const part = (shown, texts) => (isHex(shown, 64) ? unhex(shown)
    : must(Array.isArray(shown) && shown.length === texts + 1 && isHex(shown[0], 32) && shown.every((one) => typeof one === "string"), "no part")
      ?? leaf(unhex(shown[0]), ...shown.slice(1)));
  const fell = (event) => event.get("event") === "rolled" && event.get("faces").length > 0;
  const sealOf = (events) => {
    if (events[0].get("secret")) return "secret";
    const said = events[0].get("said").get("who"), waits = ofKind(events, "awaited").some((one) => one.get("who") === said && !one.get("answerable")?.length);
    return waits && !events.some(fell) ? `plan ${said}` : "";
  };
  function readPlayers(entry) {  // [the seal, what the digest covers, the events as far as they are shown, the words]
    const parts = entry.parts, seal = parts.get("sealed") ?? "", names = [...parts.keys()].join();
    must(seal === "" ? !parts.has("sealed") : seal === "secret" || (typeof seal === "string" && /^plan [0-9A-Za-z\u0080-\u{10ffff}][0-9A-Za-z\u0080-\u{10ffff}_'-]*$/u.test(seal)), "no seal");
    if (parts.has("leaf")) {
      must(names === "sealed,leaf" && isHex(parts.get("leaf"), 64), "no leaf");
      return [seal, [unhex(parts.get("leaf"))], null, null];
    }
    must(names === `${seal && "sealed,blind,"}words,counts,events` && parts.get("events")?.length && Array.isArray(parts.get("events")) && isHex(parts.get("counts"), 64), "no parts");
    const events = [], shown = [], words = parts.get("words"), opened = sha256(framed(parts.get("events").map(([half]) => half)));
    const leaves = [opened, part(words, 3), unhex(parts.get("counts"))];
    for (const halves of parts.get("events")) {
      must(Array.isArray(halves) && halves.length === 2 && typeof halves[0] === "string" && halves[1]?.[1] !== "", "no halves");
      const closed = Array.isArray(halves[1]) ? halves[1][1] : halves[1] && null;
      if (closed !== "") leaves.push(part(halves[1], 1));
      must(closed !== null || !Array.isArray(words), "words without events");
      events.push(readEvent(halves[0], closed)), closed !== null && shown.push(events.at(-1));
    }
    must(!seal || isHex(parts.get("blind"), 32), "no blind");
    const who = events[0]?.get("said")?.get("who"), plans = typeof who === "string" && seal === `plan ${who}` && !shown.some(fell);
    must(shown.length === events.length ? seal === sealOf(events) : !seal || plans, "another seal");
    return [seal, seal ? [leaf(unhex(parts.get("blind")), joined(leaves))] : leaves, events, Array.isArray(words)];
  }
  function readWhole(entry, bodies) {
    must(bodies.length && bodies.length === entry.splits.length, "no events");
    const opened = [], texts = [[entry.by, entry.typed, entry.once], [entry.drawn, entry.hidden]];
    const events = bodies.map((body, nth) => {
      const bytes = utf8.encode(body), halves = [bytes.slice(0, entry.splits[nth]), bytes.slice(entry.splits[nth])];
      must(entry.splits[nth] >= 0 && entry.splits[nth] <= bytes.length, "not halved");
      opened.push(halves[0]), texts.push(...(halves[1].length ? [[halves[1]]] : []));
      return readEvent(...halves.map((half) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(half)));
    });
    must(!entry.once || (!once.has(entry.once) && once.add(entry.once)), "an id twice");
    const seal = sealOf(events), seed = hmac(blinds, framed([previous, entry.entry, ...opened, ...texts.flat()]));
    const blind = (place, from = 0) => sha256(framed([seed, place])).slice(from, from + 16);
    const leaves = [sha256(framed(opened)), ...texts.map((covered, nth) => leaf(blind(Math.floor(nth / 2), 16 * (nth % 2)), ...covered))];
    return [seal, seal ? [leaf(blind("seal"), joined(leaves))] : leaves, events, true];
  }
  const entries = [], columns = players ? "entry,after,command,origin,recorded_at,program,digest,stands,parts"
    : "entry,after,command,origin,drawn,hidden,recorded_at,by,typed,program,once,digest,stands,events,splits";
  function read(line, number) {
    const held = canonical(line, 68), entry = Object.fromEntries(held), counts = [entry.after, entry.command, entry.origin];
    must([...held.keys()].join() === columns && entry.entry === number && [entry.recorded_at, entry.program, entry.digest].every((one) => typeof one === "string") && typeof entry.stands === "boolean", "other columns");
    must(counts.every((one) => typeof one === "number" && one >= 0) && entry.after < number && counts.slice(1).every((one) => one >= 1 && one <= number), "other numbers");
    if (players) must(entry.parts instanceof Map, "no parts");
    else {
      must([entry.by, entry.typed, entry.once].every((one) => typeof one === "string") && [entry.drawn, entry.hidden].every((one) => typeof one === "number" && one >= 0), "other columns");
      must(Array.isArray(entry.events) && Array.isArray(entry.splits) && entry.splits.every((one) => typeof one === "number"), "other columns");
    }
    const starts = players ? [] : [entry.events.start + 1, ...entry.events.ends.map((end) => end + 1)];
    const [seal, leaves, events, words] = players ? readPlayers(entry) : readWhole(entry, entry.events.ends.map((end, nth) => line.slice(starts[nth], end)));
    must(!events || events.every((one, nth) => (one?.get("event") === "declared") === !nth), "begins otherwise");
    const heading = [previous, number, ...counts, entry.recorded_at, entry.program, seal];
    previous = hex(sha256(framed(["affray entry 1", ...heading, joined(leaves)])));
    must(previous === entry.digest, "another digest");
    return { entry, events, words };
  }
  for (const line of lines) {
    try { entries.push(read(line, before + entries.length + 1)); } catch { findings.push({ entry: before + entries.length + 1, check: "chain" }); break; }
  }
  const head = `affray e${before + lines.length} ${previous}`, standing = new Set();
  for (let at = lines.length; whole && at > 0; at = entries[at - 1]?.entry.after) standing.add(at);
  const strays = entries.find(({ entry }) => whole && entry.stands !== standing.has(entry.entry));
  if (strays && !findings.length) findings.push({ entry: strays.entry.entry, check: "chain" });
  if (findings.length) return { head, findings, ...count };

  /* Second pass: what the entries say of each other, and the dice. */
  const all = entries.flatMap(({ events }) => events ?? []), of = (kind) => ofKind(all, kind);
  const known = [...of("campaign-began").slice(0, 1).flatMap((event) => event.get("commitments")), ...of("stirred").map((event) => event.get("commitments"))];
  const secrets = [[], []], revealed = new Set(of("revealed").map((event) => event.get("entry"))), hiddenEpochs = of("dice-revealed")
    .reduce((most_, event) => Math.max(most_, event.get("hidden") ? event.get("secrets").length : 0), 0);
  of("dice-revealed").forEach((event) => event.get("secrets").forEach((secret, epoch) => {
    const found = /^([0-9a-f]{2})*$/.test(secret) ? unhex(secret) : new Uint8Array();
    if (hex(sha256(found)) === known[epoch]?.[+event.get("hidden")]) secrets[+event.get("hidden")][epoch] = found;
  }));
  let [begun, last, again] = [0, 0, new Set()];
  const afterOf = (number) => entries[number - 1].entry.after, originOf = (number) => entries[number - 1].entry.origin;
  function isMember(entry) {
    const follows = begun && begun === entry.command && last === entry.after && entry.after === entry.entry - 1;
    last = entry.entry;
    if (!follows) begun = 0;
    if (!follows || entry.origin === entry.entry) return follows;
    const sound = entry.origin < entry.command && originOf(entry.origin) === entry.origin && !again.has(entry.origin);
    return sound && Boolean(again.add(entry.origin));
  }
  function isPlaced(entry, events) {
    const number = entry.entry, verb = events?.[0].get("verb"), several = verb === "amend" || events?.[0].get("instant");
    if (entry.command < number) return isMember(entry);
    begun = 0;
    if (entry.origin !== number || (entry.after !== number - 1 && !several && verb !== "undo" && verb !== "redo")) return false;
    if (several) {
      [begun, last, again] = [number, number, new Set()];
      for (let at = entry.after; at > 0; at = afterOf(at)) again.add(originOf(at));
    }
    return true;
  }
  const isPlay = (events) => !["undo", "redo"].includes(events?.[0].get("verb")) && !ofKind(events, "stirred", "revealed", "dice-revealed").length;
  function isTakenBack(entry, events) {  // whether exactly what no longer stands, or stands again, is said to
    const courses = { retracted: [], reinstated: [] };
    for (let [stood, stands] = [entry.entry - 1, entry.after]; stood !== stands;) {
      const at = Math.max(stood, stands);
      if (isPlay(entries[at - 1].events)) courses[stood > stands ? "retracted" : "reinstated"].unshift(at);
      [stood, stands] = stood > stands ? [afterOf(at), stands] : [stood, afterOf(at)];
    }
    return Object.entries(courses).every(([kind, course]) => String(ofKind(events, kind).flatMap((event) => event.get("entries"))) === String(course));
  }
  function isSaid(events) {
    const rulings = new Map();
    return ofKind(events, "ruled").every((event) => {
      const about = JSON.stringify([event.get("clause"), event.get("who"), event.get("about")]);
      rulings.set(about, (rulings.get(about) ?? 0) + 1);
      return (event.get("nth") ?? 1) === rulings.get(about);
    });
  }
  function isOpen(at, who, name) {  // whether a true name is shown where its bearer joined, or that is left out
    let unseen = false;
    for (; at > 0; at = afterOf(at)) {
      const told = ofKind(entries[at - 1].events, "joined", "masked", "renamed"), masks = ofKind(told, "masked");
      for (const event of [...told].reverse()) {
        if (event.get("event") === "renamed" && event.get("name") === who) who = event.get("who");
        else if (event.get("event") === "joined" && event.get("who") === who) return masks.some((one) => one.get("who") === who && one.get("name") === name);
      }
      unseen ||= entries[at - 1].events === null;
    }
    return unseen;
  }
  function isShown(entry, events, words) {
    const began = ofKind(events, "campaign-began").length > 0, opened = !players || ofKind(events, "unmasked")
      .every((event) => isOpen(entry.after, event.get("who"), event.get("name")));
    return began === (entry.entry === 1) && opened && (!players || !revealed.has(entry.entry) || Boolean(words))
      && ofKind(events, "revealed").every((event) => event.get("entry") >= 1 && event.get("entry") < entry.entry);
  }

  const epochs = [{ words: "", first: [1, 1] }], drawn = [0, 0], thrown = new Map(), graded = new Set(), hiddenShown = new Set(), diceKeys = {};
  const committed = [], partly = new Set();  // the digest before each commitment; actions of which not all dice are shown
  function face(hidden, place, sides) {  // what a die must show; null where its secret is not known
    const at = epochs.findLastIndex((epoch) => epoch.first[hidden] <= place);
    const secret = key ? own(streams[hidden], at, committed[at]) : secrets[hidden][at];
    const diceKey = diceKeys[`${hidden} ${at}`] ??= secret && hmac(secret, utf8.encode(epochs[at].words));
    for (let attempt = 0; diceKey && attempt < 1000; attempt += 1) {
      const words = hex(hmac(diceKey, joined([big(place), big(attempt, 4)]))).match(/.{8}/g).map((word) => parseInt(word, 16));
      const number = words.find((word) => word < 2 ** 32 - 2 ** 32 % sides);
      if (number !== undefined) return number % sides + 1;
    }
    return null;
  }
  const due = (epoch) => streams.map((use) => hex(sha256(own(use, epoch, committed[epoch]))));
  const used = (words) => words.replace(/[A-Z\u00c0-\u00d6\u00d8-\u00de]/g, (sign) => String.fromCharCode(sign.charCodeAt() + 32))
    .replace(/[^0-9a-z\u00c0-\u1fff\u2070-\u{10ffff}]/gu, "");
  function isEpoch({ entry }, event, spoken) {
    const epoch = epochs.length - 1;
    if (event.get("event") === "dice-revealed") {
      const past = known.slice(0, Math.min(epoch, committed.length)).map((pair) => pair[+event.get("hidden")]);
      return event.get("secrets").length === past.length
        && event.get("secrets").every((secret, nth) => isHex(secret, 64) && hex(sha256(unhex(secret))) === past[nth]);
    }
    const said = event.get("event") === "stirred" ? [event.get("commitments")] : event.get("commitments"), from = committed.length;
    committed.push(...said.map(() => (entry > 1 ? entries[entry - 2 - before]?.entry.digest : "")));
    if (key && !said.every((pair, nth) => String(pair) === String(due(from + nth)))) return false;
    if (event.get("event") !== "stirred") return true;
    const hidden = event.get("first_hidden"), words = event.get("words"), first = [event.get("first"), hidden ?? most];
    if (players && hidden === undefined && event.get("epoch") <= hiddenEpochs) return false;
    if (players && !(drawn[1] < first[1] && first[1] >= epochs[epoch].first[1])) return false;
    if (event.get("epoch") !== epoch + 1 || first[0] !== drawn[0] + 1 || (!players && first[1] !== drawn[1] + 1) || !words || used(words) !== words) return false;
    return (spoken === undefined || (typeof spoken === "string" && used(spoken) === words)) && Boolean(epochs.push({ words, first }));
  }
  function sidesOf(dice) {  // the sides of each die; [] for what is no dice
    if (!/^[0-9]{0,3}d[0-9]{1,4}(\+[0-9]{0,3}d[0-9]{1,4})*$/.test(dice)) return [];
    const groups = dice.split("+").map((group) => group.split("d")).map(([times, size]) => [times === "" ? 1 : +times, +size]);
    const all_ = groups.reduce((sum, [times]) => sum + times, 0);
    return groups.every(([times, size]) => times >= 1 && size >= 2 && size <= 1000) && all_ <= 100 ? groups.flatMap(([times, size]) => Array(times).fill(size)) : [];
  }
  function isNext(entry, place) {  // whether a die that is not named again comes from the right place
    const hidden = +(place < 0), nth = Math.abs(place), repeats = entry.origin !== entry.entry;
    if (hidden && players) {
      if (hiddenShown.has(nth) || (nth <= drawn[1] && !(repeats && partly.has(entry.origin)))) return false;
      hiddenShown.add(nth);
      drawn[1] = Math.max(drawn[1], nth);
      count.skipped = drawn[1] - hiddenShown.size;
      return true;
    }
    return nth === drawn[hidden] + 1 && Boolean(drawn[hidden] = nth);
  }
  function isThrown(entry, events) {
    const named = new Set(), before_ = thrown.get(entry.origin) ?? thrown.set(entry.origin, new Map()).get(entry.origin);
    return (events ?? []).every((event) => {
      const kind = event?.get("event");
      if (kind === "campaign-began" || kind === "stirred" || kind === "dice-revealed") return isEpoch(entry, event, events[0]?.get("said")?.get("words"));
      if (kind !== "rolled" || !event.has("dice")) return true;
      const sizes = sidesOf(event.get("dice")), [faces, places] = [event.get("faces"), event.get("places")];
      if (!sizes.length || faces.length !== places.length || (faces.length && faces.length !== sizes.length)) return false;
      return faces.every((shown, die) => {
        const [place, size] = [places[die], sizes[die]], what = JSON.stringify([event.get("purpose"), size]);
        if (shown < 1 || shown > size || named.has(place)) return false;
        if (!place) return Boolean(count.hand += 1);
        named.add(place);
        if (!(entry.origin !== entry.entry && before_.get(place) === what) && !isNext(entry, place)) return false;
        before_.set(place, what);
        const right = face(+(place < 0), Math.abs(place), size);
        if (!graded.has(place)) count[right === null ? "unproven" : "proven"] += 1;
        graded.add(place);
        return right === null || right === shown;
      });
    });
  }
  for (const { entry, events, words } of entries) {
    const placed = before || [isPlaced(entry, events), !players || isTakenBack(entry, events), isSaid(events), isShown(entry, events, words)].every(Boolean);
    const sound = placed && isThrown(entry, events) && (players || (entry.drawn === drawn[0] && entry.hidden === drawn[1]));
    if (!events || events.includes(null)) partly.add(entry.origin);
    if (!sound) { findings.push({ entry: entry.entry, check: placed ? "dice" : "chain" }); break; }
  }
  return { head, findings, ...count };
}
