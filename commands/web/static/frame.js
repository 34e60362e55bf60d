/* The live page asks its server for everything. Here the program in the page answers instead. */

const STEP = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 1200; /* milliseconds until the next entry of the demo fight */
const engine = { port: null, asked: new Map(), number: 0, stream: null, verdict: null };

addEventListener("message", ({ source, origin, data, ports }) => {
  if (source !== parent || origin !== location.origin) return;
  if (data.kind === "verdict") {
    engine.verdict = data.verdict;
    judgeHead();
  }
  if (data.kind !== "port") return;
  engine.port = ports[0];
  engine.port.onmessage = ({ data: { kind, id, text } }) => {
    if (kind === "events") {
      engine.told = true;
      send(text);
    }
    else engine.asked.get(id)?.(text);
  };
});

const send = (text) => engine.stream.enqueue(new TextEncoder().encode(text));

/* Plays the demo fight until the program has something to tell. */
async function play(fight) {
  for (const text of fight.split(/(?<=\n\n)/)) {
    if (engine.told) return;
    send(text);
    await new Promise((done) => { setTimeout(done, STEP); });
  }
}

/* An answer of the program, as one of a server. */
function answered(words) {
  if (!engine.port) return Promise.resolve(new Response("The program is not there yet.", { status: 503 }));
  const id = ++engine.number;
  engine.port.postMessage({ ...words, id });
  return new Promise((done) => { engine.asked.set(id, done); }).then((text) => new Response(text, { status: text ? 200 : 404 }));
}

const genuine = globalThis.fetch.bind(globalThis);

globalThis.fetch = async (path, { method, body } = {}) => {
  if (method === "POST") return answered({ kind: "desk", asked: path.slice(1), tap: body });
  if (path.startsWith("/digests/")) return answered({ kind: "digest", number: Number(path.slice(9)) });
  if (path === "/drawings") return answered({ kind: "drawings" });
  const shown = parent.document.documentElement.dataset.engine ? "" : await (await genuine(`demo-${secret || "players"}.txt`)).text();
  return new Response(new ReadableStream({
    start(stream) {
      engine.stream = stream;
      if (shown) play(shown);
      parent.postMessage({ kind: "view", view: secret || "players" }, location.origin);
    },
  }));
};
