/* The desk: the game master's page. What can be said comes from the server, and what is tapped goes there as a form or a
   line. commands/live/PROTOCOL.md describes what is sent. What comes from the server becomes text, never markup. */

{
const TYPED = 150; /* milliseconds after a key until completion is asked for */
const SPOKEN = 80; /* milliseconds after an entry until the choices are asked for */
const TRIES = 5; /* how often what would come of a form is asked for again */
const desk = { of: "", waiting: null, loading: null, verbs: [], now: null, who: "", form: null, sending: false, said: 0, chosen: 0, thrown: false };

try {
  desk.thrown = localStorage.getItem("affray dice") === "thrown";
} catch { /* a browser that keeps nothing */ }

const ask = (what, tap) => post(`/${what}`, tap);

/* Says something once, however often the connection breaks, with the head that was shown with it. */
async function say(tap, kept) {
  if (desk.sending) return null;
  desk.sending = true;
  desk.said += 1;
  const { form } = desk, body = { id: newId(), head: desk.now.head, ...tap };
  the("hand").setAttribute("aria-busy", "true");
  let answer;
  while (isBusy(answer = await ask("say", body))) {
    tell({ text: "Not heard yet. Trying again." });
    await new Promise((done) => { setTimeout(done, AGAIN); });
  }
  desk.sending = false;
  desk.said += 1;
  the("hand").removeAttribute("aria-busy");
  if (answer.needs?.length) {
    if (tap.line) throwFor({ ...tap, head: body.head }, answer.needs, kept);
    return answer;
  }
  tell({ ok: false, text: answer.say, ...answer, head: body.head });
  if (answer.ok && desk.form === form) { /* unless another form was opened meanwhile */
    document.querySelectorAll("#hand-do details").forEach((one) => { one.open = false; });
    choose(null);
  }
  else await learn();
  if (answer.error === "busy" && desk.form) { /* the form as it was, on what is shown */
    desk.form.head = desk.now.head;
    draw();
  }
  return answer;
}

/* What came of it; of a refusal what can be done instead, with what that costs, as long as the head is that of which it is true. */
function tell({ ok = true, text = "", offers = [], advice = [], number = 0, entry = 0, error = "", head = desk.now.head }) {
  const [first, ...rest] = text.split("\n"), parts = [make("p", first, { class: ok ? "said" : "said refused" })];
  if (rest.length && !entry) parts.push(make("pre", rest.join("\n"), { tabindex: "0" }));
  parts.push(...advice.map((line) => make("p", line, { class: "soft" })));
  const row = make("div", "", { class: "chips" });
  row.append(...offers.map(({ line, cost, instead, asks }) => {
    const take = (more) => (instead ? accept(number, { line, head, ...more }) : say({ line, head, thrown: desk.thrown, ...more }));
    const made = button(instead || line, () => (error === "dice" ? fill(line) : asks ? askWhy(line, take) : take()), { class: "chip", title: line });
    if (cost) made.append(" ", make("small", cost));
    return made;
  }));
  if (number) row.append(button("Something else", () => change({ number }), { class: "chip" }));
  if (row.childElementCount) parts.push(row);
  the("hand-told").replaceChildren(...(text ? parts : []));
  if (number) the("hand-told").scrollIntoView({ block: "nearest" });
}

/* Puts a line where it is typed, for the faces of its dice. */
function fill(line) {
  the("hand-line").focus();
  typeIn(the("hand-line"), line);
}

/* Asks for dice in a place; what is left empty there the program rolls. */
function askDice(place, needs, kept, given) {
  const { parts, read, inputs } = faceFields(needs, kept, given);
  place.replaceChildren(...parts, make("p", "An empty field is rolled by the program.", { class: "soft" }));
  place.read = read;
  (inputs.find(({ value }) => !value) ?? inputs[0])?.focus();
}

/* A line, and what is asked for before it is carried out. */
function askFor(line, part, does) {
  const asked = make("form", "", {});
  asked.append(make("p", line, { class: "said" }), part, make("button", "Do it", { class: "chip send" }));
  the("hand-told").replaceChildren(asked);
  asked.addEventListener("submit", (event) => {
    event.preventDefault();
    does();
  });
}

/* Asks for the reason of what is offered. */
function askWhy(line, take) {
  const why = make("input", "", { autocomplete: "off", maxlength: 200, required: "" });
  askFor(line, labelled("Why? It is recorded.", why), () => take({ why: why.value }));
  why.focus();
}

/* The dice of a line; `kept` are the faces that are known already. */
function throwFor(tap, needs, kept = new Map()) {
  const dice = make("div", "");
  askFor(tap.line, dice, () => say({ ...tap, dice: dice.read() }, kept));
  askDice(dice, needs, kept, () => dice.closest("form").requestSubmit());
}

/* What can be said now. */
let learning = null;
function learnSoon() {
  clearTimeout(learning);
  learning = setTimeout(learn, SPOKEN);
}

async function learn(stays = Boolean(desk.form)) {
  const { began } = page;
  if (desk.of !== began) Object.assign(desk, { of: began, verbs: [], who: "", form: null }); /* another campaign */
  if (!desk.verbs.length) {
    const forms = await ask("forms", {});
    if (isBusy(forms)) return void setTimeout(learnSoon, AGAIN);
    if (began !== page.began || forms.error) return;
    desk.verbs = forms.verbs;
  }
  const { chosen } = desk, now = await ask("choices", stays && desk.who ? { who: desk.who } : {});
  if (isBusy(now)) return void setTimeout(learnSoon, AGAIN);
  if (began !== page.began || now.error) return;
  if (desk.chosen !== chosen) return void learn(true); /* somebody else was chosen meanwhile */
  desk.now = now;
  desk.who = now.who;
  if (the("hand").hidden) new ResizeObserver(() => the("log").scrollTo(0, the("log").scrollHeight)).observe(the("log")); /* its end stays in view */
  the("hand").hidden = false;
  hears.desk();
  the("hand").dataset.head = now.head;
  drawTable();
  dim();
  if (!desk.form) the("hand-form").replaceChildren(); /* a form that somebody fills in stays as it is */
}

/* Somebody else is chosen. No form opens before what they can do is here, so that none is drawn anew under a finger. */
function actFor(who) {
  desk.who = who;
  desk.chosen += 1;
  choose(null);
  desk.loading = ask("choices", { who }).then((now) => {
    if (isBusy(now) || now.error || desk.who !== who) return;
    desk.now = now;
    drawTable();
    dim();
  });
}

/* What the one who is chosen can do: the rest is dimmed where it stands, so that nothing moves under a finger. */
async function dim() {
  const { who, now } = desk, answer = who ? await ask("possible", { who }) : null;
  if (answer?.possible && desk.now === now) Object.assign(now, { possible: answer.possible });
  document.querySelectorAll("#hand-do [data-verb]").forEach((one) => one.classList.toggle("dim", isDim(verbOf(one.dataset.verb))));
}

const verbOf = (name) => desk.verbs.find(({ verb }) => verb === name);
const isDim = (verb) => Boolean(desk.now.possible) && verb?.by === "combatant" && !desk.now.possible.includes(verb.verb);

/* A form on the desk. It may stand for what a player proposes, or for an entry, and says it on the head that was shown. */
function formOf(verb, said = {}, { number = 0, entry = 0 } = {}) {
  const knows = verb.by === "combatant" && verb.fields.some(({ name, required }) => name === "who" && required);
  return begun(verb, knows && desk.who && !said.who ? { who: [desk.who], ...said } : said, {
    knows, number, entry, dice: null, secret: false, head: desk.now.head, reckons: verb.by === "combatant", words: () => desk.now.words,
    changed() {
      this.faces = new Map();
      the("hand-dice").replaceChildren();
      weigh(this);
    },
  });
}

/* Opens a form; none closes the one that is open. */
function choose(form) {
  desk.form = form;
  draw();
  if (!form) return;
  the("hand-form").querySelector("input, button, select")?.focus({ preventScroll: true });
  weigh(form);
}

function draw() {
  drawTable();
  the("hand-form").replaceChildren(...(desk.form ? [drawForm(desk.form, foot(desk.form), act)] : []));
}

/* Who acts, what they can do, and what the table does. */
function drawTable() {
  const { able, everybody, first, due } = desk.now, chosen = desk.form?.verb;
  const at = { chosen, first, dim: isDim, take: (verb) => Promise.resolve(desk.loading).then(() => choose(verb && formOf(verb))) };
  redraw(the("hand-do"), () => {
    const who = make("div", "", { class: "chips choosing" });
    who.append(...[...new Set([...able, ...everybody])].map((one) => button(able.includes(one) ? `${one} \u25cf` : one, () => actFor(one), {
      ...pressed(one === desk.who), "data-who": one, class: `chip ${sideOf(one)}`,
    })));
    const by = (whose) => desk.verbs.filter((verb) => verb.by === whose && !verb.past), own = by("gm");
    const steps = ranked([...own.filter(({ verb }) => first.includes(verb)), ...by("turn")], first);
    const others = folded(desk.who ? `Acting: ${desk.who}` : "Who acts", "hand-others", !able.length, who);
    const parts = due.map((line) => make("p", line, { class: "soft" }));
    if (everybody.length) parts.push(others, deeds(`What ${desk.who || "somebody"} does`, "hand-more", by("combatant"), at));
    if (steps.length) parts.push(group("The round", verbRow(steps, at)));
    parts.push(deeds("The record", "hand-past", desk.verbs.filter(({ past }) => past), at));
    return [...parts, folded("The game master", "hand-own", own.includes(chosen), verbRow(own.filter(({ verb }) => !first.includes(verb)), at))];
  }, JSON.stringify([desk.who, chosen?.verb, able, everybody, everybody.map(sideOf), first, due]));
}

/* What stands below the first fields of a form: the odds, the dice, and what sends it. */
function foot(form) {
  const { verb, entry, number } = form, row = make("div", "", { class: "chips sends" }), instead = number || entry;
  const check = (title, is, does) => {
    const box = make("input", "", { type: "checkbox" });
    box.checked = is;
    box.addEventListener("change", () => does(box.checked));
    return labelled(title, box);
  };
  row.append(make("button", number ? `Accept ${number} like this` : entry ? `Amend e${entry} like this` : "Do it", { class: "chip send" }));
  if (!verb.past && !instead) {
    if (!desk.now.asks) {
      row.append(check("We throw", desk.thrown, (thrown) => {
        desk.thrown = thrown;
        try {
          localStorage.setItem("affray dice", thrown ? "thrown" : "");
        } catch { /* a browser that keeps nothing */ }
      }));
    }
    row.append(check("Secret", form.secret, (secret) => { form.secret = secret; }));
  }
  row.append(button("Close", () => {
    tell({}); /* what was refused is over */
    choose(null);
    learn(true); /* nobody else is chosen under a finger */
  }, { class: "chip" }));
  return [make("p", "", { id: "hand-odds", class: "soft", role: "status" }), ...(entry ? trueDice(form) : []), make("div", "", { id: "hand-dice" }), row];
}

/* The faces that fell for the entry that is amended, and why it is. */
function trueDice(form) {
  const why = make("input", "", { autocomplete: "off", maxlength: 200 });
  why.addEventListener("change", () => {
    form.why = why.value;
    weigh(form);
  });
  const input = make("input", "", { autocomplete: "off", inputmode: "numeric", maxlength: 200, pattern: "[\\s,]*((\\d+|-)[\\s,]+)*(\\d+|-)?[\\s,]*" });
  input.value = form.dice ?? (page.log.get(form.entry)?.dice ?? []).map(([, face]) => face).join(" ");
  input.addEventListener("input", () => {
    form.dice = input.value;
    if (input.checkValidity()) weigh(form);
  });
  return [labelled("dice, as they fell", input), labelled("why, where they were misread", why)];
}

/* What a form says, as it is sent. */
const tapped = (form) => ({
  verb: form.verb.verb, said: saidIn(form), ...(form.secret ? { secret: true } : {}),
  ...(form.entry ? { entry: form.entry, why: form.why ?? "", dice: (form.dice ?? "").split(/[\s,]+/).filter(Boolean).map((face) => (face === "-" ? null : Number(face))) } : {}),
});

/* Carries out the form. Where dice are thrown, those that are sure to fall are asked for, and then the rest. */
async function act() {
  const { form } = desk, place = the("hand-dice"), faces = place.read?.() ?? [];
  if (form.number) return void accept(form.number, { verb: form.verb.verb, said: saidIn(form), head: form.head });
  if ([...place.querySelectorAll("input")].some((one) => !one.reportValidity())) return;
  const answer = await say({ ...tapped(form), head: form.head, ...(form.entry ? {} : { thrown: desk.thrown, dice: faces }) });
  if (!answer?.needs?.length || desk.form !== form) return;
  askDice(place, answer.needs, form.faces, () => place.closest("form").requestSubmit());
}

/* Asks something about the open form, one question after the other: what is told is true of the form as it is now. What
   is not answered is asked for some times more; where something was said meanwhile, that stays told. */
function inTurn(what, asks, told) {
  let runs = false, stale = false, said = 0, timer = null;
  return async (form, tries = TRIES) => {
    said = desk.said;
    stale = runs;
    if (runs) return;
    clearTimeout(timer);
    const asked = asks(form);
    runs = true;
    const answer = await ask(what, asked);
    runs = false;
    if (said !== desk.said) return;
    if (stale || desk.form !== form) weigh(desk.form);
    else if (isBusy(answer)) timer = tries && setTimeout(() => { if (said === desk.said) weigh(desk.form, tries - 1); }, AGAIN);
    else if (answer.status === 200) told(form, answer, asked);
  };
}

/* What an undo would take back, and what an amendment would change. */
const preview = inTurn("look", tapped, (_, answer) => tell(answer));

/* The odds of the form, or of each of those who may be its target. */
const odds = inTurn("odds", (form) => ({
  verb: form.verb.verb, said: saidIn(form), field: form.verb.fields.find(({ name, people }) => people && name !== "who" && !form.values.has(name))?.name ?? "",
}), (form, answer, { field }) => {
  form.odds = { field, of: answer.odds ?? {} };
  the("hand-odds").textContent = form.odds.of[""] ?? "";
  drawFormAnew();
});

/* What would come of a form, where there is one. */
function weigh(form, tries) {
  if (form?.verb.past || form?.entry) preview(form, tries);
  else if (form?.reckons) odds(form, tries);
}

/* The line, with what can stand in it. */
let completing = null;
the("hand-line").addEventListener("input", () => {
  clearTimeout(completing);
  completing = setTimeout(async () => {
    const line = the("hand-line").value, answer = await ask("complete", { line });
    if (the("hand-line").value !== line || !answer?.offers) return;
    the("hand-words").replaceChildren(...answer.offers.map(([whole, shown, meaning]) => button(shown, () => {
      the("hand-line").focus();
      typeIn(the("hand-line"), whole);
    }, { class: "chip", title: meaning })));
  }, TYPED);
});
the("hand-typing").addEventListener("submit", async (event) => {
  event.preventDefault();
  const line = the("hand-line").value.trim();
  if (!line) return;
  const answer = await say({ line, thrown: desk.thrown });
  if (answer?.ok && the("hand-line").value.trim() === line) { /* unless another was begun meanwhile */
    the("hand-line").value = "";
    the("hand-words").replaceChildren();
  }
});

/* Somebody is chosen, and then a place on the map: the form of a move there. */
places.push((field) => { if (desk.now && desk.who && !desk.form) change({ who: desk.who, field }); });
the("log").addEventListener("click", (event) => {
  const { entry } = event.target.closest(".amend")?.dataset ?? {}, input = inForm("[data-entry]"), item = event.target.closest("li[id]");
  if (entry) return void change({ entry: Number(entry) });
  if (!input || !item) return;
  event.stopPropagation(); /* the page stays at the end */
  event.preventDefault();
  typeIn(input, item.id);
}, true);

changed.push(() => { if (page.view === "gm") learnSoon(); });

Object.assign(hears, {
  desk(now = desk.waiting) { /* below the desk, which is there first: nothing moves what is tapped */
    desk.waiting = now;
    if (!now) return;
    the("desk").hidden = the("hand").hidden || (!now.proposals.length && !now.questions.length && !now.missing.length);
    list(the("desk-seats"), now.seats, drawLink);
    the("desk-phones").hidden = !now.seats.length;
    list(the("desk-proposals"), now.proposals, drawDecision);
    list(the("desk-questions"), now.questions, drawWaiting);
    if (desk.sending && now.questions.length) the("desk").scrollIntoView({ block: "nearest" });
    the("desk-missing").textContent = now.missing.length && !now.questions.length ? `Waiting for ${now.missing.join(", ")}.` : "";
  },
});

/* Sends what the game master decides of a proposal or a question, and tells what came of it. */
async function decide(item, told, path, body) {
  item.querySelectorAll("button").forEach((one) => { one.disabled = true; });
  const answer = await post(path, body);
  told.textContent = isBusy(answer) ? "No answer yet. Tap again: it is done once." : [answer.state, answer.say].filter(Boolean).join(": ");
  item.querySelectorAll("button").forEach((one) => { one.disabled = false; });
}

/* Accepts a proposal, perhaps in other words. What the rules miss, or offer instead, stands at the top. */
async function accept(number, instead = {}) {
  const { form } = desk, answer = await post("/accept", { number, ...instead });
  desk.said += 1;
  if (isBusy(answer)) return tell({ ok: false, text: "No answer yet. Tap again: it is recorded once." });
  if (answer.say) {
    await learn();
    if (form && desk.form === form) form.head = desk.now.head;
    return tell({ ok: false, text: answer.say, offers: answer.offers, error: answer.error, number });
  }
  tell({ text: "" });
  if (desk.form === form && form?.number === number) choose(null);
}

/* The form of a proposal, to be accepted in other words, or of an entry, to be put right. */
async function change(which) {
  const before = desk.form, answer = await ask("filled", which);
  if (desk.form !== before) return; /* another form was opened meanwhile */
  if (isBusy(answer)) return tell({ ok: false, text: "No answer yet. Tap again." });
  const verb = verbOf(answer.verb), { entry, number } = which;
  if (!verb && entry) return tell({ ok: false, text: `e${entry} has no form; a line puts it right: amend e${entry}` });
  if (!verb) return void (number && tell({ ok: false, text: `Proposal ${number} does not wait any more.` }));
  [desk.who] = answer.said.who ?? [desk.who];
  const form = desk.form = formOf(verb, answer.said, which);
  await learn();
  if (desk.form !== form) return;
  form.head = desk.now.head;
  choose(form);
  the("hand-form").scrollIntoView({ block: "nearest" });
}

/* The address of a seat, for its phone to scan. */
function drawLink({ name, plays, address, code }) {
  const item = make("li", ""), size = code.length + 8;
  const dark = code.flatMap((row, y) => [...row].map((bit, x) => (bit === "1" ? `M${x},${y}h1v1h-1z` : "")));
  const picture = drawn("svg", { viewBox: `-4 -4 ${size} ${size}`, class: "code", "aria-hidden": "true" }, drawn("path", { d: dark.join("") }));
  item.append(make("p", `${name} plays ${plays.join(", ") || "nobody"}`), picture, make("a", address, { href: address }));
  return item;
}

/* A die that a seat is asked for: the game master may let the program roll it, or give up what waits for it. */
function drawWaiting({ number, seat: name, who, dice, purpose }) {
  const item = make("li", ""), told = make("span", "", { role: "status", class: "soft" }), row = make("div", "", { class: "chips" });
  item.append(make("p", `Waiting for ${name}: ${who === name ? "" : `${who}, `}${[dice].flat().join(" ")} for ${purpose}`), row);
  row.append(
    button("Roll it", () => decide(item, told, "/accept", { number }), { class: "chip" }),
    button("Give up", () => decide(item, told, "/decline", { number, word: "" }), { class: "chip" }), told,
  );
  return item;
}

/* What a seat proposes, for the game master to decide. */
function drawDecision({ number, seat: name, line, dice, why }) {
  const item = make("li", ""), told = make("span", "", { role: "status", class: "soft" });
  const faces = (dice ?? []).map((face) => face ?? "-").join(" ");
  const word = make("input", "", { autocomplete: "off", maxlength: 200, placeholder: "Say why", "aria-label": `What ${name} is told` });
  item.append(make("p", `${number} ${name}: ${line}${faces ? `, dice ${faces}` : ""}`));
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
