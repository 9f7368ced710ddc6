import assert from "node:assert/strict";
import { test } from "node:test";

import { until } from "./support/environment.js";
import { StreamConnection } from "../src/connection.js";
import { add, doubted, hurried, lasted, lost, makeStream, opened, received, refused, timerFired } from "../src/stream.js";

const snapshot = JSON.stringify({ session: "a", id: "e.0", data: { count: 0 } });
const pauseOf = (actions) => actions.findLast((action) => action.do === "wait").time;

/** Opens a stream of one session. */
function open() {
  const stream = makeStream();
  add(stream, "a", "");
  timerFired(stream);
  opened(stream);
  return stream;
}

test("pauses grow also if each stream is cut after an event", () => {
  const stream = open();
  const pauses = [];
  for (let count = 0; count < 7; count += 1) {
    received(stream, "snapshot", snapshot, 1);
    pauses.push(pauseOf(lost(stream, 1)));
    timerFired(stream);
    opened(stream);
  }
  assert.deepEqual(pauses, [500, 1000, 2000, 4000, 8000, 15_000, 15_000]);
  lasted(stream);
  assert.equal(pauseOf(lost(stream, 1)), 500);
});

test("a stream that is not open has not lasted", () => {
  const stream = open();
  lost(stream, 1);
  lasted(stream);
  assert.equal(pauseOf(lost(stream, 1)), 1000);
});

test("a day of failures is the end, which events put off", () => {
  const stream = open();
  let ended = 0;
  for (let count = 0; count < 20_000 && ended === 0; count += 1) {
    if (count < 7000) received(stream, "snapshot", snapshot, 1);
    if (lost(stream, 1).some(({ message }) => message?.reason === "unreachable")) ended = count;
    timerFired(stream);
    opened(stream);
  }
  assert.ok(ended > 7000 + 5000, `${ended}`);
});

test("a status of a proxy is temporary, and leaves the sessions on the stream", () => {
  for (const status of [404, 408, 410, 429, 502, 503]) {
    const stream = open();
    const actions = refused(stream, status, 0, 1);
    assert.deepEqual(actions.map((action) => action.do), ["close", "tell", "wait"], `${status}`);
    assert.equal(stream.positions.size, 1);
  }
  assert.deepEqual(refused(open(), 403, 0, 1).at(-1), { do: "tell", sessions: ["a"], message: { type: "end", reason: "refused" } });
});

test("a doubt opens another stream, and nothing else hurries one that is open", () => {
  const stream = open();
  assert.deepEqual(hurried(stream), []);
  assert.equal(doubted(stream, 1)[0].do, "close");
  assert.equal(hurried(stream)[0].do, "wait");
});

/** A connection whose server opens and closes streams as the test wants. */
function connect() {
  const streams = [];
  const connection = new StreamConnection({ server: "", fetch: async () => {
    const body = new ReadableStream({ start: (controller) => void streams.push(controller) });
    return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  } });
  const { port1: near, port2: far } = new MessageChannel();
  const messages = [];
  near.onmessage = ({ data }) => messages.push(data);
  connection.follow({ session: "a", position: "", authorization: "", owner: "", server: "" }, far);
  const close = () => {
    connection.close();
    near.close();
  };
  return { streams, messages, close };
}

test("a follower that was added gets a response immediately", async () => {
  const { messages, close } = connect();
  await until(() => messages.length > 0, "the response");
  assert.deepEqual(messages[0], { type: "alive" });
  close();
});

test("a stream that was open for ten seconds has lasted", async (context) => {
  const { streams, messages, close } = connect();
  const pauses = () => messages.filter(({ type }) => type === "waiting").map(({ pause }) => pause);
  for (let count = 1; count <= 4; count += 1) {
    await until(() => streams.length === count, "the stream");
    streams[count - 1].enqueue(new TextEncoder().encode(`event: snapshot\ndata: ${snapshot}\n\n`));
    await until(() => messages.filter(({ type }) => type === "event").length === count, "the event");
    if (count < 4) streams[count - 1].close();
  }
  assert.ok(pauses()[2] >= 1000, `${pauses()}`);
  const { now } = Date;
  let reads = 0;
  context.mock.method(Date, "now", () => {
    reads += 1;
    return now() + 11_000;
  });
  await until(() => reads > 1, "the time was read");
  streams[3].close();
  await until(() => pauses().length === 4, "the loss");
  assert.ok(pauses()[3] <= 500, `${pauses()}`);
  close();
});

test("a follower that is behind gets everything since its position, and nothing before that", () => {
  const change = (version) => JSON.stringify({ session: "a", id: `e.${version}`, data: { count: version } });
  for (const position of ["e.2", "", "f.9"]) {
    const stream = makeStream();
    // Its own position, so that the stream has no outputs for other followers.
    add(stream, "a", "e.5");
    timerFired(stream);
    opened(stream);
    assert.equal(received(stream, "change", change(6), 1).length, 1);
    assert.ok(add(stream, "a", position).some((action) => action.do === "wait"));
    // What still arrives would have the follower skip what it has missed.
    assert.deepEqual(received(stream, "change", change(7), 1), []);
    const path = timerFired(stream).find((action) => action.do === "connect").path;
    assert.equal(path, position === "e.2" ? "/v1/outputs?session=a&lastEventID=e.2" : "/v1/outputs?session=a");
    opened(stream);
    assert.equal(received(stream, "change", change(3), 1).length, 1);
  }
});

test("a follower that is ahead of the stream holds nothing up", () => {
  const stream = open();
  received(stream, "snapshot", snapshot, 1);
  add(stream, "a", "e.3");
  assert.equal(received(stream, "change", JSON.stringify({ session: "a", id: "e.1", data: { count: 1 } }), 1).length, 1);
});
