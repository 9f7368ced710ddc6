import assert from "node:assert/strict";
import { test } from "node:test";

import { patient, provideStorage, until } from "./support/environment.js";
import { closing, live, server } from "./support/machines.js";
import { open } from "../src/granary.js";
import { Requests } from "../src/request.js";
import { Ticket, invite } from "../src/ticket.js";

const machine = (options = {}) => closing(open("counter", { server: server.url, timeout: patient, ...options }));
const renewals = () => server.requests.filter(({ path, headers }) => path.endsWith("/tickets") && headers.authorization);

/** Keeps a list of the timers that wait for longer than a request, as the renewal of a ticket of an hour does. */
function watchTimers(context) {
  const timers = new Set();
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  context.mock.method(globalThis, "setTimeout", (action, time, ...values) => {
    const timer = set(action, time, ...values);
    if (time > patient) timers.add(timer);
    return timer;
  });
  context.mock.method(globalThis, "clearTimeout", (timer) => {
    timers.delete(timer);
    clear(timer);
  });
  return timers;
}

test("a guest takes part in a session with an invitation, and the invitation is used up", async () => {
  const host = machine({ token: "ada" });
  await live(host);
  const invitation = await host.invite();
  assert.deepEqual({ ...invitation, ticket: "" }, { machine: "counter", session: host.id, ticket: "" });
  const guest = machine({ session: invitation.session, ticket: invitation.ticket });
  await live(guest);
  assert.ok(guest.isGuest && !host.isGuest);
  await guest.send("increment");
  await until(() => host.outputs.count === 1, "the host sees it");
  assert.equal(guest.outputs.count, 1);
  const stream = [...server.streams].find(({ headers }) => headers.authorization?.startsWith("Ticket"));
  assert.notEqual(stream.headers.authorization, `Ticket ${invitation.ticket}`);
  const late = machine({ session: invitation.session, ticket: invitation.ticket });
  await assert.rejects(late.ready, { code: "refused", status: 401 });
});

/** Returns a replacement for `fetch` that loses the first responses to the redemption of a ticket, which the server has sent. */
function losing(count) {
  let [left, lost] = [count, () => {}];
  const all = new Promise((resolve) => (lost = resolve));
  const send = async (url, options) => {
    const response = await fetch(url, options);
    if (!String(url).endsWith("/tickets") || left === 0) return response;
    left -= 1;
    if (left === 0) lost();
    throw new TypeError("the connection was lost");
  };
  return { fetch: send, all };
}

test("a guest whose redemption has lost its response repeats it, and others are still refused", async () => {
  const host = machine({ token: "ada" });
  await live(host);
  const { session, ticket } = await host.invite();
  const guest = machine({ session, ticket, fetch: losing(3).fetch });
  await live(guest);
  const redemptions = () => server.requests.filter(({ path, headers }) => path.endsWith("/tickets") && headers["idempotency-key"]);
  assert.equal(redemptions().length, 4);
  assert.equal(new Set(redemptions().map(({ headers }) => headers["idempotency-key"])).size, 1);
  assert.deepEqual(await guest.send("increment"), { count: 1 });
  await assert.rejects(machine({ session, ticket }).ready, { code: "refused", status: 401 });
});

test("a page that is reloaded before the response to a redemption repeats it", async (context) => {
  const stored = provideStorage(context);
  const host = machine();
  await live(host);
  const [named, fixed] = [await host.invite(), await host.invite()];
  for (const [options, next] of [
    // The first page has removed the invitation from its address, and the second one still has it.
    [{ name: "main", ...named }, { name: "main" }], [fixed, fixed],
  ]) {
    const connection = losing(Infinity);
    const sent = server.requests.length;
    const before = machine({ ...options, fetch: connection.fetch });
    await until(() => server.requests.slice(sent).some(({ path }) => path.endsWith("/tickets")), "the redemption");
    before.close();
    const after = machine(next);
    await live(after);
    assert.ok(after.isGuest && after.id === host.id);
    after.close();
  }
  assert.ok([...stored.keys()].every((key) => key.startsWith("granary-")));
});

test("a page forgets an invitation that was refused", async (context) => {
  const stored = provideStorage(context);
  const host = machine();
  await live(host);
  const { session, ticket } = await host.invite();
  await live(machine({ session, ticket, shared: false }));
  assert.ok(![...stored.keys()].some((key) => key.includes(ticket)));
  await assert.rejects(machine({ name: "main", session, ticket }).ready, { code: "refused" });
  assert.ok(![...stored.keys()].some((key) => key.includes(ticket)));
  const next = machine({ name: "main" });
  await live(next);
  assert.ok(!next.isGuest);
});

test("somebody whose invitation was used up can begin a session and invite to it", async () => {
  const host = machine({ token: "ada" });
  await live(host);
  const { session, ticket } = await host.invite();
  await live(machine({ session, ticket }));
  const late = machine({ session, ticket });
  await assert.rejects(late.ready, { code: "refused" });
  late.restart();
  await live(late);
  assert.ok(!late.isGuest && late.id !== session);
  assert.equal((await late.invite()).session, late.id);
});

test("the terms of an invitation are those of the caller, and the defaults for the rest", async () => {
  const host = machine();
  await live(host);
  const { fetch } = globalThis;
  const bodies = [];
  const requests = new Requests({ server: server.url, timeout: patient, fetch: (url, options) => {
    bodies.push(JSON.parse(options.body));
    return fetch(url, options);
  } });
  await invite(requests, host.id, { allows: ["read"], label: "Bob" });
  assert.deepEqual(bodies, [{ allows: ["read"], expiresIn: "24h", uses: 1, renewsFor: "1h", label: "Bob" }]);
  await assert.rejects(invite(requests, "session999999999999999"), { code: "refused", status: 404 });
});

test("inputs of the former session are not sent to the one that is joined", async () => {
  const [host, guest] = [machine(), machine()];
  await live(host, guest);
  const former = guest.id;
  const { ticket, session } = await host.invite();
  server.intercept = ({ path }) => path.includes(`${former}/inputs/`)
    ? { status: 503, headers: { "Retry-After": "5" }, body: { type: "/problems/unavailable" } } : undefined;
  const tried = () => server.requests.filter(({ path }) => path.includes("/inputs/")).length;
  const sent = [1, 2, 3].map((value) => guest.send("add", value, { optimistic: { count: (count) => count + value } }));
  const results = Promise.allSettled(sent);
  await until(() => tried() > 0, "an attempt");
  assert.equal(guest.outputs.count, 6);
  guest.join(session, ticket);
  // The first one may still be in flight.
  assert.deepEqual((await results).map(({ reason }) => reason?.code).slice(1), ["ended", "ended"]);
  await live(guest);
  assert.equal(guest.outputs.count, 0);
  await guest.send("add", 10);
  assert.equal(server.runs.size, 1);
  assert.equal(server.sessions.get(session).outputs.count, 10);
  assert.equal(server.sessions.get(former).outputs.count, 0);
});

test("an input that was being sent when another session is joined is unknown", async () => {
  const [host, guest] = [machine(), machine()];
  await live(host, guest);
  const { ticket, session } = await host.invite();
  const results = Promise.allSettled([guest.send("add", 1), guest.send("add", 2)]);
  guest.join(session, ticket);
  assert.deepEqual((await results).map(({ reason }) => reason?.code), ["unknown", "ended"]);
  await live(guest);
  assert.equal(guest.id, session);
});

test("a ticket is renewed while it is used, by one timer, and by none after that", async (context) => {
  const host = machine();
  await live(host);
  const { ticket, session } = await host.invite();
  const timers = watchTimers(context);
  let failures = 3;
  server.intercept = ({ path, headers }) => path === `/v1/sessions/${session}` && headers.authorization && failures-- > 0
    ? { status: 503 } : undefined;
  const guest = machine({ session, ticket });
  await live(guest);
  assert.equal(failures, -1);
  assert.equal(timers.size, 1);
  guest.restart();
  await live(guest);
  assert.ok(!guest.isGuest);
  assert.equal(timers.size, 0);
});

test("a ticket is renewed again and again, and each one is used for the next stream", async () => {
  const host = machine();
  await live(host);
  const { ticket, session } = await host.invite();
  server.lifetime = 1000;
  const guest = machine({ session, ticket });
  await live(guest);
  await until(() => renewals().length > 3, "renewals");
  const presented = renewals().map(({ headers }) => headers.authorization);
  assert.equal(new Set(presented).size, presented.length);
  for (const stream of server.streams) stream.response.destroy();
  server.turn(server.sessions.get(session), { label: "missed" });
  await until(() => guest.outputs.label === "missed", "the stream continues");
  guest.close();
});

test("a renewal that fails after the ticket was stopped is not repeated", async (context) => {
  let fail = () => {};
  let sent = 0;
  const requests = { use() {}, send: () => {
    sent += 1;
    if (sent > 1) return new Promise((_, reject) => (fail = reject));
    const expires = new Date(Date.now() + 1000).toISOString();
    return Promise.resolve({ headers: new Headers(), body: { ticket: "ticket2", expires } });
  } };
  const renewed = [];
  const ticket = new Ticket(requests, "a", (text) => renewed.push(text));
  await ticket.redeem();
  await until(() => sent === 2, "the renewal");
  ticket.stop();
  const set = context.mock.method(globalThis, "setTimeout", globalThis.setTimeout);
  fail(new Error("no response"));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(set.mock.callCount(), 0);
  assert.deepEqual(renewed, ["ticket2"]);
});

test("a ticket without an end is not renewed all the time", async (context) => {
  const requests = { use() {}, send: async () => ({ headers: new Headers(), body: { ticket: "ticket2" } }) };
  const set = context.mock.method(globalThis, "setTimeout", globalThis.setTimeout);
  await new Ticket(requests, "a", () => {}).redeem();
  assert.equal(set.mock.callCount(), 0);
});
