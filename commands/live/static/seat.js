/* The page of a seat: what somebody may do, the dice they threw, what they are asked. commands/live/PROTOCOL.md describes what is
   sent. What comes from the server becomes text, never markup. */

{
const MOST_KEYS = 20; /* a die with more faces is typed */
const seat = { said: null, verbs: [], who: "", verb: null, values: new Map(), faces: new Map(), needs: null, unsent: [], sending: false, learning: false };

function tellSeat(text) {
  the("seat-told").textContent = text;
}

/* Proposals that the server has not answered, also after the page was closed. */
const drawer = () => `affray ${page.began} ${seat.said.seat}`;

function keep() {
  try {
    localStorage.setItem(drawer(), JSON.stringify(seat.unsent));
  } catch { /* a browser that keeps nothing */ }
}

function kept() {
  try {
    return JSON.parse(localStorage.getItem(drawer()) ?? "[]");
  } catch {
    return [];
  }
}

/* Sends what is unanswered, one after the other, until each is answered. */
async function sendAll() {
  if (seat.sending) return;
  seat.sending = true;
  for (let body; (body = seat.unsent[0]);) {
    const answer = await post("/propose", body);
    if (isBusy(answer)) {
      tellSeat("Not sent yet. Trying again.");
      await new Promise((done) => { setTimeout(done, AGAIN); });
      if (!seat.unsent.includes(body)) tellSeat(""); /* the list of proposals has it meanwhile */
      continue;
    }
    seat.unsent = seat.unsent.filter((one) => one !== body); /* the stream may have been sooner */
    keep();
    tellSeat(answer.status === 200 ? saidOf(answer) : answer.say);
  }
  seat.sending = false;
}

function saidOf({ line, state, entry, say }) {
  const how = state === "waits" ? "waits for the game master" : state === "recorded" ? `recorded, e${entry}` : state;
  return [`${line}: ${how}`, say].filter(Boolean).join(". ");
}

function propose(body) {
  seat.unsent.push({ id: newId(), ...body });
  keep();
  tellSeat("Sending.");
  choose(null);
  sendAll();
}

/* What the fields of a verb are filled in with. */
const titleOfField = ({ name, option }) => (option || name).replace(/_/g, " ").replace(/\b-/g, " ").trim();

function set(field, value) {
  if (value === undefined || value === "" || (Array.isArray(value) && !value.length)) seat.values.delete(field.name);
  else seat.values.set(field.name, value);
  seat.needs = null;
  drawSend();
  ask();
}

/* Those at the table: of the other sides first, and the fallen last. */
function people() {
  const { board } = page, side = board.rows.get(seat.who)?.side;
  const rank = (who) => 2 * Boolean(board.cell(who, "down")) + (board.rows.get(who).side === side);
  return board.order.filter((who) => board.rows.has(who)).sort((one, other) => rank(one) - rank(other));
}

function chips(field) {
  const taken = () => [seat.values.get(field.name) ?? []].flat();
  const row = make("div", "", { class: "chips" });
  const take = (now) => {
    set(field, field.many ? now : now[0]);
    draw();
  };
  const clear = () => button("Nobody", () => take([]), { class: "chip" });
  const draw = () => row.replaceChildren(...people().map((who) => {
    const down = page.board.cell(who, "down"), times = taken().filter((one) => one === who).length;
    const chip = button(`${who}${down ? ` (${down})` : ""}${times > 1 ? ` \u00d7${times}` : ""}`, () => {
      const leaves = taken().includes(who) && !field.again; /* a name may stand for several blows */
      take(leaves ? taken().filter((one) => one !== who) : field.many ? [...taken(), who] : [who]);
      row.querySelector(`[data-who="${CSS.escape(who)}"]`).focus();
    }, { ...pressed(taken().includes(who)), "data-who": who, class: down ? "chip fallen" : `chip ${sideClass(page.board, who)}` });
    return chip;
  }), ...(field.again && taken().length ? [clear()] : []));
  draw();
  row.drawAnew = draw;
  return group(titleOfField(field), row);
}

/* One word of a few, by a tap. */
function oneOf(field, choices) {
  const row = make("div", "", { class: "chips" });
  row.append(...choices.map((word) => button(word, ({ target }) => {
    const again = seat.values.get(field.name) === word;
    row.querySelectorAll("button").forEach((one) => { one.ariaPressed = String(one === target && !again); });
    set(field, again ? "" : word);
  }, { ...pressed(false), class: "chip" })));
  return group(titleOfField(field), row);
}

/* Several words: what is offered is added by a tap, and everything can be typed. */
function words(field) {
  const row = make("div", "", { class: "chips" }), offered = field.offers.length ? field.offers : [...people(), ...page.board.areas];
  const input = typed(field, { "aria-label": titleOfField(field) }, (text) => text.split(/\s+/));
  row.append(...offered.map((word) => button(word, () => {
    input.value = `${input.value} ${word}`.trim();
    input.dispatchEvent(new Event("input"));
  }, { class: "chip" })));
  return group(titleOfField(field), row, input);
}

function selection(field, choices) {
  const select = make("select", "");
  select.append(new Option("", ""), ...choices.map((one) => new Option(one, one)));
  select.addEventListener("change", () => set(field, select.value === field.default ? "" : select.value));
  return select;
}

function typed(field, attributes, read) {
  const input = make("input", "", { autocomplete: "off", spellcheck: "false", ...attributes });
  input.addEventListener("input", () => { /* at each key: a tap on Send right after it finds everything in its place */
    const value = input.value.trim();
    input.setCustomValidity(value && read(value) === undefined ? "This cannot be read." : "");
    set(field, value ? read(value) : "");
  });
  return input;
}

const numbers = (text) => (/^-?\d+(\s*,\s*-?\d+){1,2}$/.test(text) ? [...text.split(",").map(Number), 0].slice(0, 3) : undefined); /* a height is 0 */
const each = (read) => (text) => {
  const found = text.split(/\s*[;/]\s*/).filter(Boolean).map(read);
  return found.includes(undefined) ? undefined : found;
};

/* The control of a field. */
function control(field) {
  const { name, kind, many } = field, listed = seat.said.words[seat.who]?.[kind] ?? [], title = titleOfField(field);
  if (field.people) return chips(field);
  if (kind === "flag") {
    const box = make("input", "", { type: "checkbox" });
    box.addEventListener("change", () => set(field, box.checked || ""));
    return labelled(title, box, field.help);
  }
  if (many && kind === "open" && !field.option) return words(field);
  if (!many && field.offers.length) return oneOf(field, field.offers);
  if (!many && kind === "choice" && !field.option) return oneOf(field, field.choices);
  if (!many && kind === "choice") return labelled(title, selection(field, field.choices), field.help);
  if (!many && listed.length && (kind === "area" || ["with_", "item"].includes(name))) return labelled(title, selection(field, listed), field.help);
  if (kind === "square") {
    const input = typed(field, { placeholder: many ? "3,0 / 4,0" : "3,0", inputmode: "text", "data-square": "" }, many ? each(numbers) : numbers);
    return labelled(`${title} (tap the map)`, input, field.help);
  }
  if (kind === "number") {
    const limits = { type: "number", ...(field.least === null ? {} : { min: field.least }), ...(field.most === null ? {} : { max: field.most }) };
    return labelled(title, typed(field, limits, (text) => (Number.isInteger(Number(text)) ? Number(text) : undefined)), field.help);
  }
  if (field.pairs) return null; /* typed in the line */
  const label = labelled(title, typed(field, listed.length ? { list: `seat-${name}` } : {}, many ? (text) => text.split(/\s*,\s*/) : (text) => text), field.help);
  if (listed.length) {
    const things = make("datalist", "", { id: `seat-${name}` });
    things.append(...listed.map((one) => new Option(one)));
    label.append(things);
  }
  return label;
}

/* Chooses a verb; none closes the form. */
function choose(verb) {
  Object.assign(seat, { verb, values: new Map(), faces: new Map(), needs: null });
  drawChoice();
  if (verb) ask();
}

function verbButtons(verbs) {
  const row = make("div", "", { class: "chips" });
  row.append(...verbs.map((verb) => button(verb.verb, () => {
    choose(seat.verb === verb ? null : verb);
    the("seat").querySelector(`[data-verb="${CSS.escape(verb.verb)}"]`)?.focus();
  }, { ...pressed(seat.verb === verb), "data-verb": verb.verb, title: verb.summary, class: "chip verb" })));
  return row;
}

/* Who acts, what can be done, and the form of what is chosen. */
function drawChoice() {
  const { plays, now, verbs } = seat.said, first = verbs[seat.who] ?? [];
  const rank = (verb) => (first.includes(verb.verb) ? 0 : verb.often ? 1 : 2);
  const near = seat.verbs.filter((verb) => rank(verb) < 2).sort((one, other) => rank(one) - rank(other));
  const parts = [];
  if (plays.length > 1) {
    const row = make("div", "", { class: "chips" });
    row.append(...plays.map((who) => button(now.includes(who) ? `${who} (now)` : who, () => {
      seat.who = who;
      choose(null);
    }, { ...pressed(seat.who === who), class: "chip" })));
    parts.push(group("Who", row));
  }
  const more = make("details", ""), rest = seat.verbs.filter((verb) => rank(verb) === 2);
  more.open = rest.includes(seat.verb);
  more.append(make("summary", "More"), verbButtons(rest));
  parts.push(group(now.includes(seat.who) ? `${seat.who}: your turn` : seat.who, verbButtons(near), ...(rest.length ? [more] : [])));
  if (seat.verb) parts.push(drawForm(seat.verb));
  the("seat-do").replaceChildren(...parts);
}

function drawForm({ verb, summary, fields }) {
  const asked = fields.filter(({ name, front }) => name !== "who" && front);
  const folded = fields.filter(({ name, front }) => name !== "who" && !front);
  const form = make("form", "", { id: "seat-form", class: "filling" }), options = make("details", "");
  const controls = asked.map(control).filter(Boolean);
  options.append(make("summary", "Options"), ...folded.map(control).filter(Boolean));
  form.append(make("p", summary, { class: "soft" }), ...controls, ...(folded.length ? [options] : []), make("div", "", { id: "seat-send" }));
  form.addEventListener("submit", (event) => event.preventDefault());
  queueMicrotask(drawSend);
  form.setAttribute("aria-label", verb);
  return form;
}

const said = () => ({ ...(seat.verb.fields.some(({ name }) => name === "who") ? { who: seat.who } : {}), ...Object.fromEntries(seat.values) });
const isWhole = () => seat.verb.fields.every(({ name, required }) => !required || name === "who" || seat.values.has(name));

/* What dice it takes, as far as somebody in this seat may know. */
let asking = 0, asked = 0;
function ask() {
  clearTimeout(asking);
  if (!seat.verb || !isWhole()) return;
  const nth = ++asked, verb = seat.verb;
  asking = setTimeout(async () => {
    if (verb !== seat.verb) return;
    const answer = await post("/needs", { verb: verb.verb, said: said() });
    if (nth !== asked || verb !== seat.verb) return;
    if (isBusy(answer)) return void ask();
    seat.needs = answer.status === 200 ? answer : { needs: [], say: answer.say, refused: true };
    drawSend();
  }, 250);
}

/* The dice and the buttons that send. */
function drawSend() {
  const place = the("seat-send");
  if (!place || !seat.verb) return;
  const whole = isWhole(), needs = seat.needs?.needs ?? [], { parts, inputs, rolls, read } = faceFields(needs, seat.faces);
  const send = (dice, thrown_for = []) => propose({ verb: seat.verb.verb, said: said(), dice, thrown_for });
  const sendMine = () => { /* a die without a face is asked for when it is needed */
    const faces = read(), thrown = faces.map((_, nth) => nth).filter((nth) => faces[nth] !== null);
    send(thrown.map((nth) => faces[nth]), thrown.map((nth) => rolls[nth]));
  };
  const row = make("div", "", { class: "chips sends" });
  if (needs.length) {
    const mine = button("Send my dice", () => (inputs.every((one) => one.reportValidity()) ? sendMine() : null), { class: "chip send" });
    const look = () => { mine.disabled = !inputs.some(({ value }) => value); };
    inputs.forEach((one) => one.addEventListener("input", look));
    look();
    row.append(button("Roll for me", () => send(null), { class: "chip send" }), mine);
  } else row.append(button("Send", () => send([]), { class: "chip send" }));
  row.querySelectorAll("button").forEach((one) => { one.disabled ||= !whole || !seat.needs; });
  const words = seat.needs?.say ? [make("p", `${seat.needs.say} You may propose it all the same.`, { class: "soft", role: "status" })] : [];
  place.replaceChildren(...words, ...parts, row);
}

/* One question: a die with few faces is answered by one tap. */
function drawQuestion({ id, who, dice, purpose, about }) {
  const item = make("li", ""), rolls = [dice].flat(), faces = rolls.flatMap(diceOf);
  const send = async (answered) => {
    item.querySelectorAll("button, input").forEach((one) => { one.disabled = true; });
    for (let answer; isBusy(answer = await post("/answer", { id, faces: answered }));) {
      tellSeat("Not sent yet. Trying again.");
      await new Promise((done) => { setTimeout(done, AGAIN); });
    }
    tellSeat(`${who}: ${answered.map((face) => face ?? "rolled by the program").join(" ")} for ${purpose}`);
  };
  const programs = button("Roll for me", () => send(faces.map(() => null)), { class: "chip send" });
  item.append(make("p", `${who}: ${rolls.join(" ")} for ${purpose}${about ? ` (${about})` : ""}?`));
  const row = make("div", "", { class: "chips keys" });
  if (faces.length === 1 && faces[0] <= MOST_KEYS) {
    row.append(...Array.from({ length: faces[0] }, (_, nth) => button(`${nth + 1}`, () => send([nth + 1]), { class: "chip key" })));
    item.append(row, programs);
    return item;
  }
  const { parts, inputs, read } = faceFields([{ who, dice: rolls, purpose, about }]);
  row.append(programs, button("Send my dice", () => (inputs.every((one) => one.reportValidity()) ? send(read()) : null), { class: "chip send" }));
  item.append(...parts, row);
  return item;
}

const OPEN = ["waits", "under way"];

function drawProposal(one) {
  const item = make("li", saidOf(one), { class: OPEN.includes(one.state) ? "open" : "soft" });
  if (one.state === "waits") {
    item.append(" ", button("Take back", async (event) => {
      event.target.disabled = true;
      const answer = await post("/take-back", { id: one.id });
      tellSeat(isBusy(answer) ? "That was not sent. Try again." : answer.status === 200 ? saidOf(answer) : answer.say);
      event.target.disabled = false;
    }, { class: "chip" }));
  }
  return item;
}

/* The line for those who prefer to type, with what can stand in it. */
function drawLine() {
  const words = new Set(seat.verbs.flatMap(({ verb, fields }) => [verb, ...fields.flatMap(({ choices }) => choices)]));
  for (const who of page.board.order) words.add(who);
  const before = the("seat-line").value.replace(/\S*$/, ""), begun = /\S*$/.exec(the("seat-line").value)[0].toLowerCase();
  const found = begun ? [...words].filter((word) => word.toLowerCase().startsWith(begun) && word !== begun).slice(0, 12) : [];
  the("seat-words").replaceChildren(...found.map((word) => new Option("", `${before}${word}`)));
}

the("seat-typing").addEventListener("submit", (event) => {
  event.preventDefault();
  const line = the("seat-line").value.trim();
  if (line) propose({ line, dice: event.submitter?.name === "mine" ? [] : null }); /* [] asks for them when it is accepted */
  the("seat-line").value = "";
});
the("seat-line").addEventListener("input", drawLine);

/* Whether somebody of the seat may act now, or is asked for something. */
const mayAct = ({ now, verbs }) => Boolean(now.length || Object.keys(verbs).length);

/* The verbs are asked for once; what the server says of the seat meanwhile is drawn when they are here. */
async function learn() {
  if (seat.learning) return;
  seat.learning = true;
  const form = await fetch("/form", { headers: { Authorization: `Bearer ${secret}` } }).then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
  seat.learning = false;
  if (!form) return void setTimeout(learn, AGAIN);
  seat.verbs = form.verbs;
  seat.unsent = kept();
  drawSeat();
}

/* What the server said last of the seat. */
function drawSeat() {
  const { who, said: now } = seat, known = new Set(now.proposals.map(({ id }) => id));
  seat.unsent = seat.unsent.filter(({ id }) => !known.has(id));
  keep();
  sendAll();
  list(the("seat-questions"), now.questions, drawQuestion);
  list(the("seat-proposals"), now.proposals.slice(-5), drawProposal);
  const choice = JSON.stringify([who, now.plays, now.now, now.verbs]);
  if (the("seat-do").dataset.drawn !== choice || !the("seat-do").childElementCount) {
    the("seat-do").dataset.drawn = choice;
    if (!seat.verb) drawChoice();
  }
  document.querySelectorAll("#seat-do .chips").forEach((row) => row.drawAnew?.());
}

Object.assign(hears, {
  seat(now) {
    const wanted = mayAct(now), turned = wanted !== Boolean(seat.said && mayAct(seat.said));
    seat.said = now;
    if (!now.plays.includes(seat.who)) seat.who = now.now[0] ?? now.plays[0] ?? "";
    else if (!seat.verb && now.now.length && !now.now.includes(seat.who)) [seat.who] = now.now;
    the("seat").hidden = false;
    the("seat-title").textContent = `What ${now.seat} does`;
    if (turned && (wanted || !seat.verb)) the("seat-open").open = wanted;
    if (seat.verbs.length) drawSeat();
    else learn();
  },
  out() {
    the("seat").hidden = true;
    history.replaceState(null, "", location.pathname);
  },
});
}
