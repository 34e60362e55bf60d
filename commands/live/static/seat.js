/* The page of a seat: what somebody may do, the dice they threw, what they are asked. commands/live/PROTOCOL.md describes what is
   sent. What comes from the server becomes text, never markup. */

{
const MOST_KEYS = 20; /* a die with more faces is typed */
const seat = { said: null, verbs: [], who: "", form: null, needs: null, unsent: [], sending: false, learning: false };

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

/* Chooses a verb; none closes the form. */
function choose(verb) {
  const knows = verb?.fields.some(({ name }) => name === "who");
  seat.form = verb && begun(verb, knows ? { who: [seat.who] } : {}, {
    knows, words: () => seat.said.words[seat.who] ?? {},
    changed: () => {
      seat.needs = null;
      drawSend();
      ask();
    },
  });
  seat.needs = null;
  drawChoice();
  if (verb) ask();
}

/* Who acts, what can be done, and the form of what is chosen. */
function drawChoice() {
  const { plays, now, verbs } = seat.said, { form, who } = seat;
  redraw(the("seat-do"), () => {
    const parts = [], row = make("div", "", { class: "chips" });
    row.append(...plays.map((one) => button(now.includes(one) ? `${one} (now)` : one, () => {
      seat.who = one;
      choose(null);
    }, { ...pressed(who === one), class: "chip" })));
    if (plays.length > 1) parts.push(group("Who", row));
    parts.push(deeds(now.includes(who) ? `${who}: your turn` : who, "seat-more", seat.verbs, { chosen: form?.verb, first: verbs[who], take: choose }));
    if (form) {
      parts.push(drawForm(form, [make("div", "", { id: "seat-send" })], () => {}));
      queueMicrotask(drawSend);
    }
    return parts;
  });
}

/* What dice it takes, as far as somebody in this seat may know. */
let asking = 0, asked = 0;
function ask() {
  clearTimeout(asking);
  const { form } = seat, nth = ++asked;
  if (!form || !isWhole(form)) return;
  asking = setTimeout(async () => {
    if (form !== seat.form) return;
    const answer = await post("/needs", { verb: form.verb.verb, said: saidIn(form) });
    if (nth !== asked || form !== seat.form) return;
    if (isBusy(answer)) return void ask();
    seat.needs = answer.status === 200 ? answer : { needs: [], say: answer.say, refused: true };
    drawSend();
  }, 250);
}

/* The dice and the buttons that send. */
function drawSend() {
  const place = the("seat-send"), { form } = seat;
  if (!place || !form) return;
  const { needs, say, refused } = seat.needs ?? { needs: [] }, { parts, inputs, rolls, read } = faceFields(needs, form.faces);
  const send = (dice, thrown_for = []) => propose({ verb: form.verb.verb, said: saidIn(form), dice, thrown_for });
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
  row.querySelectorAll("button").forEach((one) => { one.disabled ||= !isWhole(form) || !seat.needs || refused; });
  const words = say ? [make("p", refused ? say : `${say} You may propose it all the same.`, { class: "soft", role: "status" })] : [];
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

function drawProposal(one) {
  const item = make("li", saidOf(one), { class: one.state === "waits" ? "open" : "soft" });
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
  if (seat.drawn !== choice && !seat.form) drawChoice();
  seat.drawn = choice;
  drawFormAnew();
}

Object.assign(hears, {
  seat(now) {
    const wanted = mayAct(now), turned = wanted !== Boolean(seat.said && mayAct(seat.said));
    seat.said = now;
    if (!now.plays.includes(seat.who)) seat.who = now.now[0] ?? now.plays[0] ?? "";
    else if (!seat.form && now.now.length && !now.now.includes(seat.who)) [seat.who] = now.now;
    the("seat").hidden = false;
    the("seat-title").textContent = `What ${now.seat} does`;
    if (turned && (wanted || !seat.form)) the("seat-open").open = wanted;
    if (seat.verbs.length) drawSeat();
    else learn();
  },
  out() {
    the("seat").hidden = true;
    history.replaceState(null, "", location.pathname);
  },
});
}
