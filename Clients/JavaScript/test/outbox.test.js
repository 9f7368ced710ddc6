import assert from "node:assert/strict";
import { test } from "node:test";

import "./support/environment.js";
import { Outbox, decide } from "../src/outbox.js";

const retention = 600_000;
const times = { queued: 1000, sent: 0, attempt: 1000, retention, chance: 1 };
const problem = (status, kind, more = {}) => ({ status, retryAfter: 0, headers: new Headers(), body: kind && { type: `/problems/${kind}` }, ...more });

test("a complete response is the end", () => {
  assert.deepEqual(decide(0, problem(200, null, { body: { version: 1, changes: {} } }), times), { do: "done" });
  assert.deepEqual(decide(0, problem(200, null, { body: { version: 1, changes: null } }), times), { do: "done" });
});

test("an input is repeated if it may have run, while the server remembers its key", () => {
  const unclear = [null, problem(200, null), problem(302, null), problem(500, null), problem(502, null), problem(504, null),
    problem(503, null), problem(408, null), problem(404, null), problem(410, null),
    problem(502, null, { body: { type: "about:blank" } }), problem(409, "idempotency-conflict"), problem(504, "unanswered")];
  for (const reply of unclear) {
    assert.deepEqual(decide(0, reply, times), { do: "retry", after: 500, mayHaveRun: true });
    assert.deepEqual(decide(3, reply, { ...times, sent: 500_000 }), { do: "retry", after: 4000, mayHaveRun: true });
    assert.deepEqual(decide(3, reply, { ...times, sent: 540_000 }), { do: "fail", code: "unknown" });
    assert.deepEqual(decide(0, reply, { ...times, attempt: 540_000 }), { do: "fail", code: "unknown" });
  }
});

test("an input that has certainly not run is repeated for a while, and then refused", () => {
  for (const [status, kind] of [[429, "too-many-requests"], [503, "unavailable"], [408, "request-timeout"], [429, undefined]]) {
    if (status === 408 && !kind) continue;
    const reply = problem(status, kind, { retryAfter: 7000 });
    assert.deepEqual(decide(0, reply, times), { do: "retry", after: 7000, mayHaveRun: false });
    assert.deepEqual(decide(0, reply, { ...times, queued: 540_000 }), { do: "fail", code: "refused" });
    assert.deepEqual(decide(0, problem(status, kind, { retryAfter: 3_600_000 }), times), { do: "fail", code: "refused" });
    assert.deepEqual(decide(0, reply, { ...times, sent: 540_000 }), { do: "fail", code: "unknown" });
  }
});

test("a misdirected request and a new credential are tried a few times", () => {
  assert.equal(decide(0, problem(421, "misdirected-request"), times).do, "retry");
  assert.deepEqual(decide(5, problem(421, "misdirected-request"), times), { do: "fail", code: "refused" });
  assert.equal(decide(0, problem(401, "invalid-credentials"), { ...times, canRenew: true }).do, "retry");
  assert.deepEqual(decide(5, problem(401, "invalid-credentials"), { ...times, canRenew: true }), { do: "fail", code: "refused" });
  assert.deepEqual(decide(0, problem(401, "invalid-credentials"), times), { do: "fail", code: "refused" });
});

test("a refusal is final, and tells whether an earlier attempt has run only if the server would have recognized the key", () => {
  for (const [status, kind] of [[400, "malformed-json"], [409, "input-refused"], [412, "version-mismatch"], [422, "invalid-value"],
    [500, "internal-error"], [507, "session-full"]]) {
    assert.deepEqual(decide(0, problem(status, kind), times), { do: "fail", code: "refused" });
    assert.deepEqual(decide(1, problem(status, kind), { ...times, sent: 1000 }), { do: "fail", code: "refused" });
  }
  for (const [status, kind] of [[401, "invalid-credentials"], [403, "forbidden"], [403, undefined], [400, undefined]]) {
    assert.deepEqual(decide(0, problem(status, kind), times), { do: "fail", code: "refused" });
    assert.deepEqual(decide(1, problem(status, kind), { ...times, sent: 1000 }), { do: "fail", code: "unknown" });
  }
});

test("a session that is missing is left to its owner", () => {
  for (const status of [404, 410]) assert.deepEqual(decide(0, problem(status, "not-found"), times), { do: "ended" });
});

/** An outbox whose session responds with what `replies` has. */
function make(replies, more = {}) {
  const log = [];
  const outbox = new Outbox({
    retention, limit: 100, isOpen: () => true, canRenew: () => false, settle: () => {}, ended: async () => new Error("ended"),
    post: async (entry) => {
      log.push([entry.input, entry.body, entry.key]);
      const reply = replies.shift();
      if (reply === undefined) throw new Error("no response");
      return typeof reply === "function" ? reply() : reply;
    },
    ...more,
  });
  return { outbox, log };
}

const done = problem(200, null, { body: { version: 1, changes: {} } });

test("inputs are sent one after another, each with a key of its own, and repeated with the same key and value", async () => {
  const { outbox, log } = make([done, problem(503, "unavailable"), undefined, done, done]);
  await Promise.all([outbox.add("a", "1"), outbox.add("b", "2"), outbox.add("c", undefined)]);
  assert.deepEqual(log.map(([input, body]) => [input, body]), [["a", "1"], ["b", "2"], ["b", "2"], ["b", "2"], ["c", undefined]]);
  const keys = log.map(([, , key]) => key);
  assert.equal(new Set(keys.slice(1, 4)).size, 1);
  assert.equal(new Set(keys).size, 3);
  for (const key of keys) assert.match(key, /^[0-9a-f]{32}$/);
});

test("a jump of the clock makes what may have run unknown instead of repeating it", async () => {
  const { now } = Date;
  const { outbox, log } = make([() => {
    Date.now = () => now() + 3_600_000;
    throw new Error("the computer slept");
  }, done, done]);
  try {
    await assert.rejects(outbox.add("a", undefined), { code: "unknown" });
    await outbox.add("b", undefined);
  } finally {
    Date.now = now;
  }
  assert.deepEqual(log.map(([input]) => input), ["a", "b"]);
});

test("giving up tells what may have run", async () => {
  let respond = () => {};
  const { outbox } = make([() => new Promise((resolve) => (respond = resolve))]);
  const results = Promise.allSettled([outbox.add("a", undefined), outbox.add("b", undefined)]);
  outbox.clear("closed", "The client was closed.");
  respond(done);
  assert.deepEqual((await results).map(({ reason }) => reason.code), ["unknown", "closed"]);
});

test("what fails in one input stops none after it, and the input is rejected", async () => {
  let faults = 1;
  const { outbox, log } = make([done, done, done], { settle: () => {
    if (faults-- > 0) throw new Error("a mistake");
  } });
  await Promise.all([outbox.add("a", undefined), outbox.add("b", undefined)]);
  assert.deepEqual(log.map(([input]) => input), ["a", "b"]);
  const { post } = outbox.session;
  outbox.session.post = (entry) => {
    encodeURIComponent(entry.input);
    return post(entry);
  };
  await assert.rejects(outbox.add("\ud800", undefined), URIError);
  await outbox.add("c", undefined);
  assert.equal(outbox.length, 0);
});

test("an input that may have run is unknown if nobody can tell whether its session has it", async () => {
  const replies = [undefined, ...Array.from({ length: 30 }, () => problem(404, "not-found"))];
  const { outbox } = make(replies, { ended: async () => { throw new Error("no response"); } });
  await assert.rejects(outbox.add("a", undefined), { code: "unknown" });
});
