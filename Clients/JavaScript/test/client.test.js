import assert from "node:assert/strict";
import { test } from "node:test";

import { patient, provideStorage, until } from "./support/environment.js";
import { closing, live, server } from "./support/machines.js";
import { Proxy } from "./support/proxy.js";
import { FakeServer } from "./support/server.js";
import { connect, open } from "../src/granary.js";

const machine = (options = {}) => {
  const made = closing(open("counter", { server: server.url, timeout: patient, ...options }));
  made.log = [];
  for (const event of ["change", "event", "status", "new-session", "end"]) made.on(event, (value) => made.log.push([event, value]));
  return made;
};
const only = (made, kind) => made.log.filter(([event]) => event === kind).map(([, value]) => value);
const session = (made) => server.sessions.get(made.id);

test("a machine is created, followed and driven", async () => {
  const counter = closing(await connect("counter", { server: `${server.url}/`, name: "main", timeout: patient }));
  assert.deepEqual(counter.outputs, { count: 0, label: "none" });
  assert.deepEqual(await counter.send("increment"), { count: 1 });
  assert.equal(counter.outputs.count, 1);
  assert.deepEqual(await counter.send("nothing"), {});
  await live(counter);
  server.turn(session(counter), { label: "from elsewhere" });
  await until(() => counter.outputs.label === "from elsewhere", "the change");
});

test("a response is reported before the stream reaches its version", async () => {
  const counter = machine();
  await live(counter);
  const seen = [];
  counter.on("version", (version) => seen.push(version));
  const sent = counter.send("increment", undefined, { answered: (response) => seen.push(response) });
  await sent;
  await until(() => seen.includes(1), "the stream has reached the version");
  assert.deepEqual(seen.filter((each) => typeof each === "object"), [{ version: 1, changes: { count: 1 } }]);
  await counter.send("nothing", undefined, { answered: (response) => seen.push(response) });
  assert.deepEqual(seen.at(-1).changes, {});
});

test("a mistake in the function for the response is reported, and the input has run", async (t) => {
  const counter = machine();
  await live(counter);
  const reported = t.mock.method(console, "error", () => undefined);
  const mistake = new Error("a mistake");
  const answered = () => {
    throw mistake;
  };
  assert.deepEqual(await counter.send("increment", undefined, { answered }), { count: 1 });
  assert.deepEqual(reported.mock.calls.map((call) => call.arguments), [[mistake]]);
  assert.deepEqual(await counter.send("increment"), { count: 2 });
});

test("a session with a name is found again", async () => {
  const [first, second] = [machine({ name: "main" }), machine({ name: "main" })];
  await Promise.all([first.ready, second.ready]);
  assert.equal(first.id, second.id);
  await first.send("add", 5);
  await until(() => second.outputs.count === 5, "the other one shows it");
});

test("machines of one principal share a stream, and a second follower of a session needs none", async () => {
  const [first, second] = [machine(), machine()];
  await live(first, second);
  assert.equal(server.streams.size, 1);
  const opened = server.requests.filter(({ path }) => path === "/v1/outputs").length;
  const third = machine({ session: first.id });
  await live(third);
  assert.equal(server.requests.filter(({ path }) => path === "/v1/outputs").length, opened);
  await first.send("increment");
  await until(() => third.outputs.count === 1, "the change");
});

test("a machine or a session that does not exist is reported", async () => {
  await assert.rejects(connect("missing", { server: server.url }), { code: "refused", status: 404 });
  const gone = machine({ session: "session999999999999999" });
  await assert.rejects(gone.ready, { code: "ended" });
  assert.equal(gone.status.status, "ended");
  assert.equal(gone.status.reason, "unknown");
  await assert.rejects(gone.send("increment"), { code: "ended" });
});

test("an event is reported once", async () => {
  const counter = machine();
  await live(counter);
  await counter.send("ring", "hello");
  await counter.send("increment");
  await until(() => counter.outputs.count === 1, "what follows");
  assert.deepEqual(only(counter, "event"), [{ output: "bell", value: "hello" }]);
});

test("a refused input is rejected, and its optimistic change is rolled back", async () => {
  const counter = machine();
  await live(counter);
  const refused = counter.send("refuse", 1, { optimistic: { count: 9, label: "soon" } });
  assert.deepEqual(counter.outputs, { count: 9, label: "soon" });
  await assert.rejects(refused, { code: "refused", status: 422, message: "The server says: invalid-value." });
  assert.deepEqual(counter.outputs, { count: 0, label: "none" });
});

test("a value that is not JSON is rejected without an effect", async () => {
  const counter = machine();
  await live(counter);
  const value = {};
  value.self = value;
  await assert.rejects(counter.send("add", value, { optimistic: { count: 9 } }), TypeError);
  assert.equal(counter.outputs.count, 0);
});

test("optimistic changes are shown immediately and never step back", async () => {
  const counter = machine();
  await live(counter);
  const sent = Array.from({ length: 10 }, () => counter.send("increment", undefined, { optimistic: { count: (count) => count + 1 } }));
  assert.equal(counter.outputs.count, 10);
  await Promise.all(sent);
  assert.equal(counter.outputs.count, 10);
  const counts = only(counter, "change").map(({ count }) => count).filter((count) => count !== undefined);
  assert.deepEqual(counts, [...counts].sort((a, b) => a - b));
  assert.equal(session(counter).outputs.count, 10);
});

test("an iteration has all changes and ends with the session", async () => {
  const counter = machine();
  await live(counter);
  const seen = [];
  const reading = (async () => {
    for await (const change of counter) seen.push(change.count);
  })();
  for (let count = 0; count < 3; count += 1) await counter.send("increment");
  counter.close();
  await reading;
  assert.deepEqual(seen, [1, 2, 3]);
});

test("a slow reader gets many changes as few", async () => {
  const counter = machine();
  await live(counter);
  const changes = counter[Symbol.asyncIterator]();
  for (let count = 1; count <= 400; count += 1) server.turn(session(counter), { count });
  await until(() => counter.outputs.count === 400, "the last change");
  counter.close();
  const seen = [];
  for (let next = await changes.next(); !next.done; next = await changes.next()) seen.push(next.value.count);
  assert.equal(seen.length, 256);
  assert.equal(seen.at(-1), 400);
});

test("the mistake of a listener affects nothing else", async (context) => {
  const errors = context.mock.method(console, "error", () => {});
  const counter = machine();
  counter.on("change", () => { throw new Error("a mistake"); });
  await live(counter);
  await counter.send("increment");
  assert.equal(counter.outputs.count, 1);
  assert.ok(errors.mock.callCount() > 0);
});

test("a listener that closes the client or removes itself stops what follows", async () => {
  const counter = machine();
  await live(counter);
  const seen = [];
  const stop = counter.on("change", ({ count }) => {
    seen.push(count);
    stop();
  });
  counter.on("change", () => counter.close());
  const sent = counter.send("increment");
  await until(() => counter.isEnded, "the end");
  await sent.catch(() => undefined);
  server.turn(session(counter), { count: 9 });
  assert.deepEqual(seen, [1]);
  assert.equal(counter.status.reason, "closed");
  await until(() => server.streams.size === 0, "the stream is closed");
});

test("a session that ends is replaced by another one, which is announced before its outputs", async () => {
  for (const reason of ["deleted", "expired", "unknown"]) {
    const counter = machine();
    await live(counter);
    await counter.send("add", 3);
    const old = counter.id;
    counter.log.length = 0;
    if (reason === "unknown") {
      server.sessions.delete(old);
      for (const stream of server.streams) stream.response.destroy();
    } else {
      server.end(old, reason);
    }
    await until(() => counter.id !== null && counter.id !== old && counter.status.status === "live", "another session");
    const kinds = counter.log.map(([event]) => event).filter((event) => event === "new-session" || event === "change");
    assert.deepEqual(kinds, ["new-session", "change"]);
    assert.deepEqual(only(counter, "new-session"), [{ reason, session: counter.id }]);
    assert.equal(counter.outputs.count, 0);
    counter.close();
  }
});

test("a failed session, and one that may not be renewed, is not replaced", async () => {
  for (const [options, reason] of [[{}, "failed"], [{ renew: false }, "deleted"]]) {
    const counter = machine(options);
    await live(counter);
    server.end(counter.id, reason);
    await until(() => counter.status.status === "ended", "the end");
    assert.equal(counter.status.reason, reason);
    assert.deepEqual(only(counter, "new-session"), []);
    counter.restart();
    await live(counter);
    assert.deepEqual(only(counter, "new-session").map(({ reason }) => reason), ["requested"]);
  }
});

test("an input to a session that has ended is rejected, and a new session begins", async () => {
  const counter = machine();
  await live(counter);
  const old = counter.id;
  server.sessions.delete(old);
  // The new session is announced before the input is rejected, so that a view which removes old messages shows this one.
  counter.log.length = 0;
  await assert.rejects(counter.send("increment"), { code: "ended", message: "The input had no effect because its session had ended." });
  assert.deepEqual(only(counter, "new-session"), [{ reason: "unknown", session: counter.id }]);
  assert.notEqual(counter.id, old);
  await counter.send("increment");
  assert.equal(counter.outputs.count, 1);
});

test("an input that the machine does not have is refused, and the session continues", async () => {
  const counter = machine();
  await live(counter);
  const { id } = counter;
  await assert.rejects(counter.send("missing"), { code: "refused", status: 404 });
  assert.equal(counter.id, id);
});

test("statuses that pass are repeated with the key", async () => {
  const counter = machine();
  await live(counter);
  const plan = [429, 503, 421, 408, 502];
  const keys = new Set();
  server.intercept = ({ path, headers }) => {
    if (!path.includes("/inputs/")) return undefined;
    keys.add(headers["idempotency-key"]);
    const status = plan.shift();
    return status && { status, headers: { "Retry-After": "1" } };
  };
  await counter.send("increment");
  assert.equal(keys.size, 1);
  assert.equal(session(counter).outputs.count, 1);
});

test("a lost response is requested again, also if the server has lost the stream meanwhile", async () => {
  const proxy = await new Proxy(server.port).start();
  const counter = machine({ server: proxy.url });
  await live(counter);
  proxy.plan = (number) => number < 6 ? { cutResponse: 20 } : {};
  proxy.cut();
  await counter.send("increment");
  assert.equal(counter.outputs.count, 1);
  assert.deepEqual([...server.runs.values()], [1]);
  await proxy.stop();
});

test("inputs wait while there is no connection, at most as many as there is room for", async () => {
  const proxy = await new Proxy(server.port).start();
  const counter = machine({ server: proxy.url, queue: 3 });
  await live(counter);
  proxy.plan = () => ({ refuse: true });
  proxy.cut();
  await until(() => counter.status.status === "offline", "offline");
  const sent = [1, 2, 3].map((value) => counter.send("add", value));
  await assert.rejects(counter.send("add", 4), { code: "full" });
  proxy.plan = () => ({});
  counter.reconnect();
  await Promise.all(sent);
  assert.equal(counter.outputs.count, 6);
  await live(counter);
  await proxy.stop();
});

test("without a queue, inputs fail while there is no connection", async () => {
  const proxy = await new Proxy(server.port).start();
  const counter = machine({ server: proxy.url, queue: 0 });
  await live(counter);
  await counter.send("increment");
  proxy.plan = () => ({ refuse: true });
  proxy.cut();
  await until(() => counter.status.status === "offline", "offline");
  await assert.rejects(counter.send("increment"), { code: "unreachable", message: "The server cannot be reached." });
  // Also while the client tries again.
  const sent = new Promise((resolve) => {
    counter.on("status", ({ status }) => status === "connecting" && resolve(counter.send("increment")));
  });
  await assert.rejects(sent, { code: "unreachable" });
  proxy.plan = () => ({});
  counter.reconnect();
  await live(counter);
  assert.deepEqual(await counter.send("increment"), { count: 2 });
  await proxy.stop();
});

test("inputs that are sent before the session exists wait for it", async () => {
  const counter = machine();
  await counter.send("add", 2);
  assert.equal(counter.outputs.count, 2);
});

test("a stream that reports nothing is replaced", async () => {
  const counter = machine();
  await live(counter);
  for (const stream of server.streams) stream.write = stream.event = () => {};
  server.turn(session(counter), { label: "unseen" });
  await counter.send("increment");
  await until(() => counter.outputs.label === "unseen", "another stream");
  assert.equal(counter.outputs.count, 1);
});

test("all reasons for which a stream ends are followed by a continuation without a gap", async () => {
  for (const reason of ["draining", "rotated", "busy"]) {
    const counter = machine();
    await live(counter);
    for (const stream of server.streams) {
      stream.write(`retry: 200\nevent: end\ndata: {"reason":"${reason}"}\n\n`);
      stream.write = () => {};
    }
    server.turn(session(counter), {}, [{ output: "bell", value: reason }]);
    await until(() => only(counter, "event").length > 0, "the missed event");
    assert.deepEqual(only(counter, "event"), [{ output: "bell", value: reason }]);
    counter.close();
  }
});

test("a session whose own stream is refused is read again", async () => {
  for (const reason of ["busy", "unauthorized"]) {
    const counter = machine();
    await live(counter);
    const { id } = counter;
    for (const stream of server.streams) {
      stream.write(`event: end\ndata: ${JSON.stringify({ session: id, data: { reason } })}\n\n`);
    }
    await until(() => counter.status.status === "offline", "the loss");
    await live(counter);
    assert.equal(counter.id, id);
    counter.close();
  }
});

test("refusals of the stream pass, and 204 is the end of the sessions", async () => {
  const counter = machine();
  await live(counter);
  const plan = [429, 503, 421, 500];
  server.intercept = ({ path }) => {
    const status = path === "/v1/outputs" ? plan.shift() : undefined;
    return status && { status, headers: { "Retry-After": "0" } };
  };
  for (const stream of server.streams) stream.response.destroy();
  await until(() => plan.length === 0, "all refusals");
  await live(counter);
  const old = counter.id;
  server.sessions.get(old).end = "expired";
  for (const stream of server.streams) stream.response.destroy();
  await until(() => counter.id !== null && counter.id !== old && counter.status.status === "live", "another session");
  assert.deepEqual(only(counter, "new-session"), [{ reason: "expired", session: counter.id }]);
});

test("a response that is not an event stream is not one", async () => {
  let pages = 2;
  server.intercept = ({ path }) => path === "/v1/outputs" && pages-- > 0
    ? { status: 200, body: "<p>Sign in to this network", headers: { "Content-Type": "text/html" } } : undefined;
  const counter = machine();
  await live(counter);
  assert.ok(pages <= 0);
});

test("broken JSON on the stream is read again", async () => {
  const counter = machine();
  await live(counter);
  for (const stream of server.streams) stream.write('event: change\ndata: {"session":\n\n');
  await until(() => counter.status.status === "offline", "the loss");
  await live(counter);
});

test("a token is requested again when it is no longer accepted, by requests and by the stream", async () => {
  let [current, issued] = ["token1", 0];
  server.authenticate = (field) => field === `Bearer ${current}` ? "ada" : null;
  const counter = machine({ token: async () => {
    issued += 1;
    return current;
  } });
  await live(counter);
  assert.equal(issued, 1);
  current = "token2";
  await counter.send("increment");
  assert.equal(issued, 2);
  current = "token3";
  for (const stream of server.streams) stream.response.destroy();
  server.turn(session(counter), { label: "missed" });
  await until(() => counter.outputs.label === "missed", "the stream continues");
  assert.equal(issued, 3);
});

test("a token that is not accepted is not sent forever", async () => {
  server.authenticate = () => null;
  let issued = 0;
  const counter = machine({ token: () => `token${issued += 1}` });
  await assert.rejects(counter.ready, { code: "refused", status: 401 });
  assert.ok(issued <= 2);
  const count = server.requests.length;
  await new Promise((resolve) => setTimeout(resolve, 60_000));
  assert.equal(server.requests.length, count);
});

test("a token is renewed before it expires", async () => {
  const begun = Math.floor(Date.now() / 1000);
  const token = (number) => `x.${btoa(JSON.stringify({ sub: "ada", iss: "i", number, iat: begun, exp: begun + 3 }))}.x`;
  let issued = 0;
  server.authenticate = () => "ada";
  const counter = machine({ token: () => token(issued += 1) });
  await live(counter);
  await until(() => issued > 3, "renewals");
  const presented = server.requests.filter(({ method }) => method === "HEAD").map(({ headers }) => headers.authorization);
  assert.deepEqual(presented.slice(0, 2), [`Bearer ${token(2)}`, `Bearer ${token(3)}`]);
});

test("a 401 that is not from the server ends nothing, unless it stays", async () => {
  let refusals = 5;
  server.intercept = ({ path }) => path === "/v1/sessions" && refusals-- > 0 ? { status: 401, body: "" } : undefined;
  const counter = machine({ token: () => "token" });
  await live(counter);
  assert.equal(refusals, -1);
  refusals = Infinity;
  await assert.rejects(machine({ token: "token" }).ready, { code: "refused", status: 401 });
  const sent = server.requests.length;
  server.intercept = ({ path }) => path === "/v1/sessions"
    ? { status: 401, body: { type: "/problems/invalid-credentials" } } : undefined;
  await assert.rejects(machine({ token: "token" }).ready, { code: "refused", status: 401 });
  assert.equal(server.requests.length, sent + 1, "the server's own is final");
});

test("principals do not share a stream", async () => {
  server.authenticate = (field) => field?.slice(7) ?? null;
  const [ada, bob] = [machine({ token: "ada" }), machine({ token: "bob" })];
  await live(ada, bob);
  assert.deepEqual([...server.streams].map(({ headers }) => headers.authorization).sort(), ["Bearer ada", "Bearer bob"]);
});

test("closing leaves nothing behind", async () => {
  const counter = machine();
  await live(counter);
  counter.close();
  counter.close();
  await until(() => server.streams.size === 0, "the stream is closed");
  await assert.rejects(counter.send("increment"), { code: "ended" });
  assert.deepEqual(only(counter, "end"), [{ reason: "closed", message: "The client was closed." }]);
  const early = machine();
  early.close();
  await assert.rejects(early.ready, { code: "ended" });
});

test("ending deletes the session", async () => {
  const counter = machine();
  await live(counter);
  const { id } = counter;
  await counter.end();
  assert.equal(server.sessions.get(id).end, "deleted");
});

/** Answers as a proxy that does not find the server. */
const lost = { status: 404, body: "<h1>Not found</h1>", headers: { "Content-Type": "text/html" } };

test("a proxy that does not find the server ends no session, and an input that it has lost runs once", async () => {
  const counter = machine();
  await live(counter);
  const { id } = counter;
  let responses = 9;
  server.intercept = () => responses-- > 0 ? lost : undefined;
  for (const stream of server.streams) stream.response.destroy();
  await counter.send("increment");
  await until(() => responses <= 0, "all responses");
  await live(counter);
  assert.equal(counter.id, id);
  assert.equal(session(counter).outputs.count, 1);
  assert.deepEqual(only(counter, "new-session"), []);
  // A page that is loaded meanwhile waits, too.
  responses = 2;
  const other = machine({ session: id });
  await live(other);
});

test("an input that a proxy may have lost is unknown when it is given up", async () => {
  const counter = machine({ retention: 61_000 });
  await live(counter);
  server.intercept = ({ path }) => path.includes("/inputs/") ? lost : undefined;
  await assert.rejects(counter.send("increment"), { code: "unknown" });
  assert.equal(counter.outputs.count, 0);
});

test("pauses grow if a session becomes live and is lost again immediately", async () => {
  const end = (stream) => stream.write(`event: end\ndata: ${JSON.stringify({ session: stream.sessions[0], data: { reason: "busy" } })}\n\n`);
  const cut = (stream) => setImmediate(() => stream.response.destroy());
  for (const lose of [end, cut]) {
    const counter = machine({ shared: false, principal: lose.name, token: "token" });
    const pauses = [];
    counter.on("status", ({ until: time }) => time && pauses.push(time - Date.now()));
    const add = server.streams.add.bind(server.streams);
    server.streams.add = (stream) => {
      add(stream);
      if (stream.sessions[0] === counter.id) lose(stream);
    };
    await until(() => pauses.some((pause) => pause > 3000), `longer pauses after ${lose.name}`);
    server.streams.add = add;
    counter.close();
  }
});

test("a session that was asked for begins without a pause", async () => {
  const counter = machine();
  await live(counter);
  for (let count = 0; count < 6; count += 1) {
    counter.restart();
    await live(counter);
  }
  assert.deepEqual(only(counter, "status").filter(({ status }) => status === "offline"), []);
});

test("a response without changes does not wait for the stream, and ends what was predicted", async () => {
  const counter = machine();
  await live(counter);
  server.intercept = ({ path }) => path.endsWith("/inputs/hidden")
    ? { status: 200, body: { version: session(counter).version + 3, changes: {} } } : undefined;
  let changes;
  counter.send("hidden", undefined, { optimistic: { count: 9 } }).then((result) => (changes = result));
  assert.equal(counter.outputs.count, 9);
  await until(() => changes !== undefined, "the response");
  assert.deepEqual(changes, {});
  assert.equal(counter.outputs.count, 0);
  // Nobody doubts the stream, because the server does not report the turn.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  assert.equal(counter.status.status, "live");
  assert.equal(server.requests.filter(({ path }) => path === "/v1/outputs").length, 1);
});

test("an input whose prediction fails later is sent, and so are those after it", async (context) => {
  const errors = context.mock.method(console, "error", () => {});
  const counter = machine();
  await live(counter);
  let isWrong = false;
  const predict = (count) => {
    if (isWrong) throw new Error("a mistake");
    return count + 1;
  };
  const refused = counter.send("refuse", 1, { optimistic: { label: "soon" } });
  const sent = counter.send("increment", undefined, { optimistic: { count: predict } });
  isWrong = true;
  await assert.rejects(refused, { code: "refused" });
  await sent;
  await counter.send("increment");
  assert.equal(counter.outputs.count, 2);
  assert.ok(errors.mock.callCount() > 0);
  await assert.rejects(counter.send("increment", undefined, { optimistic: { count: predict } }), { message: "a mistake" });
  await assert.rejects(counter.send("\ud800"), URIError);
  assert.deepEqual(await counter.send("increment"), { count: 3 });
});

test("an input whose prediction makes a listener close the client is rejected", async () => {
  const counter = machine();
  await live(counter);
  counter.on("change", () => counter.close());
  await assert.rejects(counter.send("increment", undefined, { optimistic: { count: 9 } }), { code: "ended" });
});

test("a creation that still runs is waited for, and one that never ends is given up for another", async () => {
  let conflicts = 3;
  const keys = [];
  server.intercept = ({ path, headers }) => {
    if (path !== "/v1/sessions") return undefined;
    keys.push(headers["idempotency-key"]);
    const body = { type: "/problems/idempotency-conflict" };
    return conflicts-- > 0 ? { status: 409, body } : undefined;
  };
  await machine().ready;
  assert.deepEqual([keys.length, new Set(keys).size], [4, 1]);
  keys.length = 0;
  conflicts = 7;
  await machine().ready;
  assert.deepEqual([keys.length, new Set(keys).size], [8, 2]);
});

test("an input whose session was left for another one begins no further session", async () => {
  const counter = machine();
  await live(counter);
  const first = counter.id;
  server.sessions.delete(first);
  let refusals = 1;
  server.intercept = ({ path }) => path === "/v1/sessions" && refusals-- > 0 ? { status: 503 } : undefined;
  const sent = counter.send("increment");
  counter.restart();
  await assert.rejects(sent, { code: "ended" });
  await live(counter);
  assert.equal(only(counter, "new-session").length, 1);
  assert.ok(!server.requests.some(({ path }) => path.includes("null")));
});

test("a page remembers the sessions of each server apart", async (context) => {
  provideStorage(context);
  const other = await new FakeServer().start();
  context.after(() => other.stop());
  other.make();
  const [first, second] = [machine({ name: "main" }), machine({ name: "main", server: other.url })];
  await live(first, second);
  assert.notEqual(first.id, second.id);
  first.close();
  second.close();
  const [again, too] = [machine({ name: "main" }), machine({ name: "main", server: other.url })];
  await live(again, too);
  assert.deepEqual([...again.log, ...too.log].filter(([event]) => event === "new-session"), []);
  assert.ok(server.requests.every(({ path }) => !path.includes(second.id)));
  assert.ok(other.requests.every(({ path }) => !path.includes(first.id)));
  too.close();
});

test("a page remembers the sessions of each principal apart, without their tokens", async (context) => {
  const stored = provideStorage(context);
  server.authenticate = (field) => field?.slice(7) ?? null;
  const options = [{ token: "ada-secret" }, { token: async () => "bob-secret" }, { token: "ada-secret", principal: "other" }];
  const open = () => options.map((each) => machine({ name: "main", ...each }));
  const before = open();
  await live(...before);
  assert.deepEqual(new Set(before.map(({ id }) => id)).size, 2);
  assert.equal(stored.size, 3);
  for (const each of before) each.close();
  server.requests = [];
  const after = open();
  await live(...after);
  assert.deepEqual(after.map(({ id }) => id), before.map(({ id }) => id));
  assert.ok(after.every((each) => only(each, "new-session").length === 0));
  assert.ok(server.requests.every(({ method }) => method === "GET"), "each continues its session");
  assert.ok(![...stored].some((entry) => entry.join().includes("secret")));
});

test("inputs that are sent while it is unknown who the principal is wait", async () => {
  let calls = 0;
  const counter = machine({ name: "main", token: async () => {
    calls += 1;
    if (calls < 3) throw new Error("no token yet");
    return "token";
  } });
  assert.deepEqual(await counter.send("add", 3), { count: 3 });
  assert.equal(calls, 3);
});

test("a response without changes to a turn that the client does not see is the end of the input", async (context) => {
  const counter = machine();
  await live(counter);
  server.intercept = ({ path }) => path.includes("/inputs/") ? { status: 200, body: { version: 1, changes: null } } : undefined;
  const streams = server.requests.filter(({ path }) => path === "/v1/outputs").length;
  const set = context.mock.method(globalThis, "setTimeout", globalThis.setTimeout);
  assert.deepEqual(await counter.send("increment", null, { optimistic: { count: 7 } }), {});
  assert.equal(counter.outputs.count, 0, "what was predicted is not shown any more");
  const times = set.mock.calls.map(({ arguments: [, time] }) => time);
  // Each request has a timer of this time, the input and the reading of the session.
  assert.equal(times.filter((time) => time === patient).length, 2);
  assert.equal(server.requests.filter(({ path }) => path === "/v1/outputs").length, streams);
});

test("a response without changes to a hidden turn waits for the change that the client sees before it", async () => {
  const counter = machine();
  await live(counter);
  const mine = session(counter);
  server.intercept = ({ path }) => {
    if (!path.includes("/inputs/")) return;
    mine.outputs = { count: 1, label: "none" };
    setTimeout(() => server.turn(mine, { count: 1 }), 100);
    return { status: 200, body: { version: 2, changes: null } };
  };
  assert.deepEqual(await counter.send("increment", null, { optimistic: { count: 7 } }), {});
  assert.deepEqual(only(counter, "change"), [{ count: 0, label: "none" }, { count: 7 }, { count: 1 }]);
  assert.equal(counter.version, 1);
});

test("a response without changes to a turn that the client sees waits for the stream", async () => {
  const counter = machine();
  await live(counter);
  const mine = session(counter);
  server.intercept = ({ path }) => {
    if (!path.includes("/inputs/")) return;
    // The stream is late.
    mine.version = 1;
    mine.outputs = { count: 1, label: "none" };
    mine.changes.push({ version: 1, data: { count: 1 } });
    return { status: 200, body: { version: 1, changes: null } };
  };
  assert.deepEqual(await counter.send("increment", null, { optimistic: { count: 7 } }), {});
  assert.equal(counter.outputs.count, 1);
  assert.deepEqual(only(counter, "change"), [{ count: 0, label: "none" }, { count: 7 }, { count: 1 }]);
});

test("a token that does not arrive stops nothing for ever", async () => {
  let calls = 0;
  const counter = machine({ timeout: 4000, token: () => {
    calls += 1;
    return calls === 1 ? new Promise(() => {}) : "token";
  } });
  await live(counter);
  assert.ok(calls > 1);
});

test("Retry-After in the past, and a time that no timer can wait, do not cause a storm", async () => {
  for (const value of ["-1", "Wed, 21 Oct 2015 07:28:00 GMT", "9999999999"]) {
    const counter = machine();
    await live(counter);
    let refusals = 3;
    server.intercept = ({ path }) => path === "/v1/outputs" && refusals-- > 0
      ? { status: 503, headers: { "Retry-After": value } } : undefined;
    const pauses = [];
    counter.on("status", ({ until: time }) => time && pauses.push(time - Date.now()));
    for (const stream of server.streams) stream.response.destroy();
    // The first one is for the stream that was cut.
    await until(() => pauses.length >= 2, "a refusal");
    assert.ok(pauses[1] > 400 && pauses[1] < 400_000, `${value}: ${pauses}`);
    assert.equal(pauses[1] > 200_000, value === "9999999999");
    counter.close();
  }
});
