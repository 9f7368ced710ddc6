import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { until } from "./support/environment.js";
import { FakeLocks, provideChannels } from "./support/locks.js";
import { FakeServer } from "./support/server.js";

const locks = FakeLocks.provide();
provideChannels();
const { ElectedStreams } = await import("../src/leader.js");

/** @type {FakeServer} */
let server;
let tabs = [];
beforeEach(async () => (server = await new FakeServer().start()));
afterEach(async () => {
  for (const each of tabs) each.close();
  tabs = [];
  await server.stop();
});

/** A tab that follows a session, and follows it again when it has to. */
function tab(name, session) {
  const made = { messages: [], restarts: 0, port: null, isClosed: false };
  const follow = () => {
    if (made.isClosed) return;
    made.port?.postMessage({ type: "stop" });
    made.port?.close();
    const { port1: near, port2: far } = new MessageChannel();
    near.onmessage = ({ data }) => made.messages.push(data);
    made.port = near;
    made.streams.follow({ session: session.id, owner: "", server: server.url, authorization: "", position: "" }, far);
  };
  made.streams = new ElectedStreams(name, () => {
    made.restarts += 1;
    follow();
  });
  made.events = () => made.messages.filter(({ type }) => type === "event");
  made.close = () => {
    made.port.postMessage({ type: "stop" });
    made.port.close();
    made.isClosed = true;
  };
  follow();
  tabs.push(made);
  return made;
}

test("tabs share the stream of the leader", async () => {
  const session = server.make();
  const [first, second] = [tab("share", session), tab("share", session)];
  await until(() => first.events().length > 0 && second.events().length > 0, "snapshots");
  assert.equal(server.streams.size, 1);
  server.turn(session, { count: 1 });
  await until(() => [first, second].every((each) => each.events().at(-1).data.count === 1), "the change");
});

test("a leader that never responds is replaced", async () => {
  const session = server.make();
  locks.request("hang", () => new Promise(() => {})).catch(() => undefined);
  const only = tab("hang", session);
  await until(() => only.events().length > 0, "a snapshot");
  assert.equal(server.streams.size, 1);
});

test("a leader that stops responding is replaced, and follows the other one when it goes on", async () => {
  const session = server.make();
  const leader = tab("stop", session);
  await until(() => leader.events().length > 0, "the leader leads");
  const follower = tab("stop", session);
  await until(() => follower.events().length > 0, "it is followed");
  const { channel } = leader.streams;
  const receive = channel.onmessage;
  channel.onmessage = () => {};
  const [led, followed] = [leader.restarts, follower.restarts];
  follower.port.postMessage({ type: "doubt" });
  await until(() => follower.restarts > followed, "the follower leads");
  channel.onmessage = receive;
  await until(() => leader.restarts > led, "the former leader follows");
  await until(() => server.streams.size === 1, "one stream");
  server.turn(session, { count: 1 });
  await until(() => [leader, follower].every((each) => each.events().at(-1).data.count === 1), "the change");
  assert.equal(server.streams.size, 1);
});

test("a leader that responds to a doubt stays", async () => {
  const session = server.make();
  const [leader, follower] = [tab("stay", session), tab("stay", session)];
  await until(() => leader.events().length > 0 && follower.events().length > 0, "snapshots");
  const count = () => follower.messages.filter(({ type }) => type === "alive").length;
  const [before, restarts] = [count(), follower.restarts];
  follower.port.postMessage({ type: "doubt" });
  await until(() => count() > before, "the response");
  await new Promise((resolve) => setTimeout(resolve, 6000));
  assert.equal(follower.restarts, restarts);
});

test("tabs whose browser denies locks have a stream each", async (context) => {
  context.mock.method(locks, "request", () => Promise.reject(new DOMException("", "SecurityError")));
  const session = server.make();
  const [first, second] = [tab("deny", session), tab("deny", session)];
  await until(() => first.events().length > 0 && second.events().length > 0, "snapshots");
  await until(() => server.streams.size === 2, "two streams");
});

test("the last follower that stops gives up the lock", async () => {
  const only = tab("last", server.make());
  await until(() => only.events().length > 0, "a snapshot");
  assert.ok(locks.isHeld("last"));
  only.port.postMessage({ type: "stop" });
  await until(() => !locks.isHeld("last") && server.streams.size === 0, "nothing is left");
});
