/* The desk: the game master's page. What can be said comes from the server, and what is tapped goes there as a form or a
   line. commands/live/PROTOCOL.md describes what is sent. What comes from the server becomes text, never markup. */

{
const FEW = 9; /* so many words are chips; more are in a list */
const TYPED = 150; /* milliseconds after a key until completion is asked for */
const SPOKEN = 80; /* milliseconds after an entry until the choices are asked for */
const desk = { of: "", waiting: null, loading: null, verbs: [], now: null, who: "", verb: null, number: 0, entry: 0, head: "", values: new Map(), odds: {}, faces: new Map(), sending: false, thrown: false };

try {
  desk.thrown = localStorage.getItem("affray dice") === "thrown";
} catch { /* a browser that keeps nothing */ }

const ask = (what, tap) => post(`/${what}`, tap);
const wordsOf = ({ kind, choices, offers }) => [...new Set([...(choices.length ? choices : desk.now.words[kind] ?? []), ...offers])];
const titleOf = ({ name }) => name.replace(/_/g, " ").trim();
const saidNow = () => Object.fromEntries(desk.values);

/* Says something once, however often the connection breaks, with the head that the page shows. */
async function say(tap) {
  if (desk.sending) return null;
  desk.sending = true;
  const { values } = desk;
  the("hand").setAttribute("aria-busy", "true");
  const body = { id: newId(), head: tap.verb ? desk.head : desk.now.head, ...tap };
  let answer;
  while (isBusy(answer = await ask("say", body))) {
    tell({ text: "Not heard yet. Trying again." });
    await new Promise((done) => { setTimeout(done, AGAIN); });
  }
  desk.sending = false;
  the("hand").removeAttribute("aria-busy");
  if (answer.needs?.length) return answer;
  tell(answer.status === 200 ? answer : { ok: false, text: answer.say });
  if (answer.ok && desk.values === values) choose(null); /* unless another form was opened meanwhile */
  else await learn();
  if (answer.error === "busy" && desk.verb) { /* the form as it was, on what is shown */
    desk.head = desk.now.head;
    draw();
  }
  return answer;
}

/* What came of it; of a refusal what can be done instead, with what that costs. */
function tell({ ok = true, text = "", offers = [], advice = [], number = 0 }) {
  const [first, ...rest] = text.split("\n"), parts = [make("p", first, { class: ok ? "said" : "said refused" })];
  if (rest.length) parts.push(make("pre", rest.join("\n"), { tabindex: "0" }));
  parts.push(...advice.map((line) => make("p", line, { class: "soft" })));
  const row = make("div", "", { class: "chips" });
  row.append(...offers.map(({ line, cost, instead }) => {
    const made = button(instead || line, () => (instead ? accept(number, { line }) : say({ line })), { class: "chip", title: line });
    if (cost) made.append(" ", make("small", cost));
    return made;
  }));
  if (number) row.append(button("Something else", () => change({ number }), { class: "chip" }));
  if (row.childElementCount) parts.push(row);
  the("hand-told").replaceChildren(...(text ? parts : []));
  if (number) the("hand-told").scrollIntoView({ block: "nearest" });
}

/* What can be said now. */
let learning = null;
function learnSoon() {
  clearTimeout(learning);
  learning = setTimeout(learn, SPOKEN);
}

async function learn() {
  const { began } = page;
  if (desk.of !== began) Object.assign(desk, { of: began, verbs: [], who: "", verb: null }); /* another campaign */
  if (!desk.verbs.length) {
    const forms = await ask("forms", {});
    if (began !== page.began) return;
    if (forms?.status === 401 || forms?.status === 403) return;
    if (isBusy(forms) || !forms.verbs) return void setTimeout(learnSoon, AGAIN);
    desk.verbs = forms.verbs;
  }
  const now = await ask("choices", desk.verb && desk.who ? { who: desk.who } : {});
  if (began !== page.began) return;
  if (isBusy(now) || !now.able) return void setTimeout(learnSoon, AGAIN);
  desk.now = now;
  desk.who = now.who;
  the("hand").hidden = false;
  hears.desk();
  the("hand").dataset.head = now.head;
  drawTable();
  dim();
  if (!desk.verb) the("hand-form").replaceChildren(); /* a form that somebody fills in stays as it is */
}

/* Somebody else is chosen. No form opens before what they can do is here, so that none is drawn anew under a finger. */
function actFor(who) {
  desk.who = who;
  choose(null);
  desk.loading = ask("choices", { who }).then((now) => {
    if (isBusy(now) || !now.able || desk.who !== who) return;
    desk.now = now;
    drawTable();
    dim();
  });
}

/* What the one who is chosen can do: the rest is dimmed where it stands, so that nothing moves under a finger. */
async function dim() {
  const { who, now } = desk, answer = who ? await ask("possible", { who }) : null;
  if (answer?.possible && desk.now === now) Object.assign(now, { possible: answer.possible });
  document.querySelectorAll("#hand-do [data-verb]").forEach((one) => one.classList.toggle("dim", isDim(one.dataset.verb)));
}

const isDim = (name) => Boolean(desk.now.possible) && !desk.now.possible.includes(name) && desk.verbs.find(({ verb }) => verb === name).by === "combatant";

/* Whether somebody does it, who is chosen already. */
const isTheirs = ({ by, fields }) => by === "combatant" && fields.some(({ name, required }) => name === "who" && required);

/* Chooses a verb; none closes the form. It may be filled in already, and stand for what a player proposes, or for an entry. */
function choose(verb, said = {}, { number = 0, entry = 0 } = {}) {
  Object.assign(desk, { verb, number, entry, dice: "", head: desk.now.head, values: new Map(Object.entries(said)), odds: {}, faces: new Map() });
  if (verb && !said.who && isTheirs(verb) && desk.who) desk.values.set("who", [desk.who]);
  draw();
  if (verb) the("hand-form").querySelector("input, button, select")?.focus({ preventScroll: true });
  if (verb) weigh();
}

/* What would come of the form: what an undo or an amendment changes, or the odds. */
const weigh = () => (desk.verb.past || desk.entry ? preview() : reckon());

function verbRow(verbs) {
  const row = make("div", "", { class: "chips" });
  row.append(...verbs.map((verb) => button(verb.verb, () => Promise.resolve(desk.loading).then(() => choose(desk.verb === verb ? null : verb)), {
    ...pressed(desk.verb === verb), class: `chip ${desk.now.first.includes(verb.verb) ? "asked" : "verb"}${isDim(verb.verb) ? " dim" : ""}`, title: verb.summary, "data-verb": verb.verb,
  })));
  return row;
}

function draw() {
  drawTable();
  the("hand-form").replaceChildren(...(desk.verb ? drawForm(desk.verb) : []));
}

/* By what a button is known again when the table is drawn anew. */
const knownBy = (one) => one.dataset.verb ?? one.textContent;

/* Who acts, what they can do, and what the table does. */
function drawTable() {
  const { able, everybody, first, due } = desk.now, sides = everybody.map((one) => page.board.rows.has(one) && sideClass(page.board, one));
  const drawn = JSON.stringify([desk.who, desk.verb?.verb, able, everybody, sides, first, due]);
  if (the("hand-do").dataset.drawn === drawn) return; /* a button stays under the finger that taps it */
  the("hand-do").dataset.drawn = drawn;
  const held = the("hand-do").contains(document.activeElement) && knownBy(document.activeElement);
  const who = make("div", "", { class: "chips choosing" });
  who.append(...[...new Set([...able, ...everybody])].map((one) => button(able.includes(one) ? `${one} \u25cf` : one, () => actFor(one), {
    ...pressed(one === desk.who), "data-who": one, class: `chip ${page.board.rows.has(one) ? sideClass(page.board, one) : ""}`,
  })));
  const rank = ({ verb, often }) => (first.includes(verb) ? 0 : often ? 1 : 2);
  const theirs = desk.verbs.filter(({ by }) => by === "combatant").sort((one, other) => rank(one) - rank(other));
  const steps = desk.verbs.filter(({ by }) => by === "turn").sort((one, other) => rank(one) - rank(other));
  const own = desk.verbs.filter(({ by, past }) => by === "referee" && !past), past = desk.verbs.filter((verb) => verb.past);
  const near = theirs.filter((verb) => rank(verb) < 2), rest = theirs.filter((verb) => rank(verb) === 2);
  const folded = (title, id, verbs) => {
    const fold = make("details", "", { id });
    fold.open = the(id)?.open || verbs.includes(desk.verb) || (verbs === own && !everybody.length);
    fold.append(make("summary", title), verbRow(verbs));
    return fold;
  };
  const others = make("details", "", { id: "hand-others" });
  others.open = the("hand-others")?.open ?? !able.length;
  others.append(make("summary", desk.who ? `Acting: ${desk.who}` : "Who acts"), who);
  const parts = due.map((line) => make("p", line, { class: "soft" }));
  if (everybody.length) parts.push(others, group(`What ${desk.who || "somebody"} does`, verbRow(near), ...(rest.length ? [folded("More actions", "hand-more", rest)] : [])));
  const asked = own.filter((verb) => first.includes(verb.verb));
  if (steps.length || asked.length) parts.push(group("The round", verbRow([...steps, ...asked])));
  parts.push(group("The record", verbRow(past)), folded("The game master", "hand-own", own));
  the("hand-do").replaceChildren(...parts);
  if (held) [...the("hand-do").querySelectorAll("button, summary")].find((one) => knownBy(one) === held)?.focus({ preventScroll: true });
}

function set(field, words) {
  const found = words.filter(Boolean);
  if (found.length || (field.kind === "flag" && words.length)) desk.values.set(field.name, found);
  else desk.values.delete(field.name);
  desk.faces = new Map();
  the("hand-dice").replaceChildren();
  weigh();
}

/* Words to tap: one, or several; where they are blows one may be tapped again. Odds have their place before they come, so
   that nothing moves under a finger. */
function taps(field, words) {
  const again = field.kind === "blows" || (field.many && !field.people), reckoned = field.people && field.name !== "who" && desk.verb.by === "combatant";
  const row = make("div", "", { class: reckoned ? "chips reckoned" : "chips" }), none = button("None", () => give([]), { class: "chip" });
  const taken = () => desk.values.get(field.name) ?? [];
  const chips = words.map((word) => {
    const side = field.people && page.board.rows.has(word) ? sideClass(page.board, word) : "", name = make("span", word), odds = make("small", "");
    const chip = button("", () => {
      const times = taken().filter((one) => one === word).length;
      give(!field.many ? (times ? [] : [word]) : times && !again ? taken().filter((one) => one !== word) : [...taken(), word]);
    }, { "data-word": word, class: `chip ${side}`, ...(field.people ? { "data-who": word } : {}) });
    chip.append(name, ...(reckoned ? [odds] : []));
    return { word, chip, name, odds };
  });
  row.drawAnew = () => {
    for (const { word, chip, name, odds } of chips) {
      const times = taken().filter((one) => one === word).length;
      chip.setAttribute("aria-pressed", String(times > 0));
      name.textContent = times > 1 ? `${word} \u00d7${times}` : word;
      if (desk.odds.field === field.name) odds.textContent = odds.title = desk.odds.of[word] ?? "";
    }
    none.hidden = !again || !taken().length;
  };
  const give = (said) => {
    set(field, said);
    row.drawAnew();
  };
  row.append(...chips.map(({ chip }) => chip), none);
  row.drawAnew();
  return group(titleOf(field), row);
}

function control(field) {
  const words = wordsOf(field);
  if (field.kind === "flag") {
    const box = make("input", "", { type: "checkbox" });
    box.checked = desk.values.has(field.name);
    box.addEventListener("change", () => set(field, box.checked ? [""] : []));
    return labelled(titleOf(field), box, field.help);
  }
  const chips = words.length && (words.length <= FEW || field.people) ? taps(field, words) : null;
  if (chips && (!field.free || field.people)) return chips;
  const input = make("input", "", { autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: 200 });
  if (field.kind === "square") Object.assign(input.dataset, { square: "" });
  if (field.kind === "number") Object.assign(input, { inputMode: "numeric" });
  const between = field.apart ? /\s*;\s*/ : field.many && !field.option ? /\s+/ : null; /* where one word ends */
  if (field.apart) input.placeholder = "one; another";
  input.value = (desk.values.get(field.name) ?? []).join(field.apart ? "; " : " ");
  input.addEventListener("input", () => set(field, between ? input.value.trim().split(between) : [input.value.trim()]));
  if (chips) { /* another word may be meant than those that are listed */
    input.setAttribute("aria-label", `${titleOf(field)}, in other words`);
    chips.append(input);
    return chips;
  }
  const label = labelled(field.kind === "square" ? `${titleOf(field)} (tap the map)` : titleOf(field), input, field.help);
  if (words.length) {
    const list = make("datalist", "", { id: `hand-${field.name}` });
    list.append(...words.map((word) => new Option(word)));
    input.setAttribute("list", list.id);
    label.append(list);
  }
  return label;
}

function drawForm(verb) {
  const asked = verb.fields.filter(({ name }) => name !== "who" || !isTheirs(verb));
  const isFront = ({ option, required, people, kind }) => !option || required || people || kind === "square";
  const front = asked.filter(isFront), folded = asked.filter((field) => !isFront(field));
  const form = make("form", "", { class: "filling", "aria-label": verb.verb }), options = make("details", ""), row = make("div", "", { class: "chips sends" });
  const box = make("input", "", { type: "checkbox" });
  box.checked = desk.thrown;
  box.addEventListener("change", () => {
    desk.thrown = box.checked;
    try {
      localStorage.setItem("affray dice", desk.thrown ? "thrown" : "");
    } catch { /* a browser that keeps nothing */ }
  });
  const does = desk.number ? `Accept ${desk.number} so` : desk.entry ? `Amend e${desk.entry} so` : "Do it";
  row.append(make("button", does, { class: "chip send" }));
  if (!verb.past && !desk.number && !desk.entry) row.append(labelled("We throw the dice", box));
  row.append(button("Close", () => choose(null), { class: "chip" }));
  options.append(make("summary", "Options"), ...folded.map(control));
  options.open = folded.some(({ name }) => desk.values.has(name));
  form.append(make("p", verb.summary, { class: "soft" }), ...front.map(control), make("p", "", { id: "hand-odds", class: "soft", role: "status" }),
    ...(desk.entry ? [trueDice()] : []), make("div", "", { id: "hand-dice" }), row, ...(folded.length ? [options] : []));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    act();
  });
  return [form];
}

/* The faces that fell for the entry that is amended. */
function trueDice() {
  const input = make("input", "", { autocomplete: "off", inputmode: "numeric", maxlength: 200 });
  input.value = (page.log.get(desk.entry)?.dice ?? []).map(([, face]) => face).join(" ");
  input.addEventListener("input", () => {
    desk.dice = input.value;
    weigh();
  });
  return labelled("dice, as they fell", input);
}

/* What the form says, as it is sent. */
const tapped = () => ({
  verb: desk.verb.verb, said: saidNow(),
  ...(desk.entry ? { entry: desk.entry, dice: desk.dice.split(/[\s,]+/).filter(Boolean).map((face) => (face === "-" ? null : Number(face))) } : {}),
});

/* Carries out the form. Where dice are thrown, those that are sure to fall are asked for, and then the rest. */
async function act() {
  if (desk.number) return void accept(desk.number, { verb: desk.verb.verb, said: saidNow() });
  const place = the("hand-dice"), faces = place.read?.() ?? [];
  if ([...place.querySelectorAll("input")].some((one) => !one.reportValidity())) return;
  const answer = await say(desk.entry ? tapped() : { ...tapped(), thrown: desk.thrown, dice: faces });
  if (!answer?.needs?.length) return;
  const { parts, read, inputs } = faceFields(answer.needs, desk.faces);
  place.replaceChildren(...parts, make("p", "An empty field is rolled by the program.", { class: "soft" }));
  place.read = read;
  (inputs.find(({ value }) => !value) ?? inputs[0])?.focus();
}

/* What an undo would take back, and what an amendment would change. */
async function preview() {
  const { verb, values } = desk, answer = await ask("look", tapped());
  if (desk.verb === verb && desk.values === values && answer?.status === 200) tell(answer);
}

/* The odds of the form, or of each of those who may be its target. */
let reckoning = false, stale = false;
async function reckon() {
  const { verb, values } = desk;
  if (verb?.by !== "combatant") return;
  stale = reckoning;
  if (reckoning) return; /* one after the other; the last is asked anew */
  reckoning = true;
  const open = verb.fields.find(({ name, people }) => people && name !== "who" && !values.has(name));
  const answer = await ask("odds", { verb: verb.verb, said: saidNow(), field: open?.name ?? "" });
  reckoning = false;
  if (stale) return void reckon();
  if (desk.verb !== verb || answer?.status !== 200) return;
  desk.odds = { field: open?.name ?? "", of: answer.odds ?? {} };
  the("hand-odds").textContent = desk.odds.of[""] ?? "";
  document.querySelectorAll("#hand-form .chips").forEach((row) => row.drawAnew?.());
}

/* The line, with what can stand in it. */
let completing = null;
the("hand-line").addEventListener("input", () => {
  clearTimeout(completing);
  completing = setTimeout(async () => {
    const line = the("hand-line").value, answer = await ask("complete", { line });
    if (the("hand-line").value !== line || answer?.status !== 200) return;
    the("hand-words").replaceChildren(...answer.offers.map(([whole, shown, meaning]) => button(shown, () => {
      the("hand-line").value = whole;
      the("hand-line").focus();
      the("hand-line").dispatchEvent(new Event("input"));
    }, { class: "chip", title: meaning })));
  }, TYPED);
});
the("hand-typing").addEventListener("submit", async (event) => {
  event.preventDefault();
  const line = the("hand-line").value.trim();
  if (!line) return;
  const answer = await say({ line });
  if (answer?.ok) {
    the("hand-line").value = "";
    the("hand-words").replaceChildren();
  }
});

/* Somebody is chosen, and then a place on the map: the form of a move there. */
places.push((field) => { if (desk.now && desk.who && !desk.verb) change({ who: desk.who, field }); });
the("log").addEventListener("click", ({ target }) => {
  const { entry } = target.closest(".amend")?.dataset ?? {};
  if (entry) change({ entry: Number(entry) });
});

changed.push(() => { if (page.view === "referee") learnSoon(); });

Object.assign(hears, {
  desk(now = desk.waiting) { /* below the desk, which is there first: nothing moves what is tapped */
    desk.waiting = now;
    if (!now) return;
    the("desk").hidden = the("hand").hidden || (!now.proposals.length && !now.questions.length && !now.missing.length);
    list(the("desk-proposals"), now.proposals, drawDecision);
    list(the("desk-questions"), now.questions, drawWaiting);
    the("desk-missing").textContent = now.missing.length ? `Waiting for ${now.missing.join(", ")}.` : "";
  },
});

/* Sends what the game master decides of a proposal or a question, and tells what came of it. */
async function decide(item, told, path, body) {
  item.querySelectorAll("button").forEach((one) => { one.disabled = true; });
  const answer = await post(path, body);
  told.textContent = isBusy(answer) ? "That was not sent. Try again." : [answer.state, answer.say].filter(Boolean).join(": ");
  item.querySelectorAll("button").forEach((one) => { one.disabled = false; });
}

/* Accepts a proposal, perhaps in other words. What the rules miss, or offer instead, stands at the top. */
async function accept(number, instead = {}) {
  const answer = await post("/accept", { number, ...instead });
  if (isBusy(answer)) return tell({ ok: false, text: "That was not sent. Try again." });
  if (answer.say) return tell({ ok: false, text: answer.say, offers: answer.offers, number });
  tell({ text: "" });
  if (desk.number === number) choose(null);
}

/* The form of a proposal, to be accepted in other words, or of an entry, to be put right. */
async function change(which) {
  const { verb, said } = await ask("filled", which) ?? {}, form = desk.verbs.find((one) => one.verb === verb);
  if (!form) return void (which.entry && tell({ ok: false, text: `e${which.entry} has no form; a line puts it right: amend e${which.entry}` }));
  [desk.who] = said.who ?? [desk.who];
  desk.verb = form;
  await learn();
  choose(form, said, which);
  the("hand-form").scrollIntoView({ block: "nearest" });
}

/* A die that a seat is asked for: the game master may let the program roll it, or give up what waits for it. */
function drawWaiting({ number, seat: name, who, dice, purpose }) {
  const item = make("li", ""), told = make("span", "", { role: "status", class: "soft" }), row = make("div", "", { class: "chips" });
  item.append(make("p", `Waiting for ${name}: ${who}, ${[dice].flat().join(" ")} for ${purpose}`), row);
  row.append(
    button("Roll it", () => decide(item, told, "/accept", { number }), { class: "chip" }),
    button("Give up", () => decide(item, told, "/decline", { number, word: "" }), { class: "chip" }), told,
  );
  return item;
}

/* What a seat proposes, for the game master to decide. */
function drawDecision({ number, seat: name, line, dice, state, why }) {
  const item = make("li", ""), told = make("span", "", { role: "status", class: "soft" });
  const faces = (dice ?? []).map((face) => face ?? "-").join(" ");
  const word = make("input", "", { autocomplete: "off", maxlength: 200, placeholder: "Say why", "aria-label": `What ${name} is told` });
  item.append(make("p", `${number} ${name}: ${line}${faces ? `, dice ${faces}` : ""}${state === "under way" ? " (under way)" : ""}`));
  if (why) item.append(make("p", why, { class: "soft why" }));
  const row = make("div", "", { class: "chips" });
  row.append(
    button("Accept", () => accept(number), { class: "chip send" }), button("Change", () => change({ number }), { class: "chip" }), word,
    button("Decline", () => decide(item, told, "/decline", { number, word: word.value }), { class: "chip" }), told,
  );
  item.append(row);
  return item;
}
}
