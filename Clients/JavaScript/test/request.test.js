import assert from "node:assert/strict";
import { test } from "node:test";

import "./support/environment.js";
import { GranaryError, Requests, description, isForeign, kind, retryAfter } from "../src/request.js";

test("Retry-After is a time that a timer can wait", () => {
  const date = (time) => new Date(time).toUTCString();
  const now = Math.floor(Date.now() / 1000) * 1000;
  const cases = [["", 0], ["7", 7000], ["0", 0], ["-5", 0], ["soon", 0], ["99999999999", 86_400_000], ["1e400", 86_400_000],
    [date(now - 60_000), 0], [date(now + 90_000), 90_000]];
  for (const [text, time] of cases) {
    assert.equal(retryAfter(new Headers({ "Retry-After": text, Date: date(now) })), time, text);
  }
  assert.equal(retryAfter(new Headers()), 0);
  const time = retryAfter(new Headers({ "Retry-After": date(now + 90_000) }));
  assert.ok(time > 30_000 && time <= 90_000, "by the clock of the browser");
});

test("only problems of the server have a kind", () => {
  assert.equal(kind({ type: "/problems/not-found" }), "not-found");
  for (const body of [undefined, null, "text", {}, { type: "about:blank" }, { type: "https://proxy.example/problems/x" }, { type: 1 }]) {
    assert.equal(kind(body), "");
    assert.ok(isForeign(404, body));
  }
  assert.ok(!isForeign(410, { type: "/problems/session-ended" }));
  assert.ok(!isForeign(403, undefined));
});

test("a repetition may succeed after a proxy has not found the server, and while the first request runs", () => {
  const isLasting = (status, type) => new GranaryError("refused", "", { status, retryAfter: 0, body: type && { type } }).isLasting;
  assert.ok(isLasting(404, "/problems/not-found"));
  assert.ok(!isLasting(404, "about:blank"));
  assert.ok(!isLasting(410));
  assert.ok(!isLasting(409, "/problems/idempotency-conflict"));
  assert.ok(isLasting(409, "/problems/name-in-use"));
  assert.ok(isLasting(403));
});

test("the epoch of a session is that of its entity tag", () => {
  const epoch = (tag) => description({ body: { id: "a" }, headers: new Headers(tag === undefined ? {} : { ETag: tag }) }).epoch;
  assert.equal(epoch('"VgFTtm.12"'), "VgFTtm");
  assert.equal(epoch('W/"VgFTtm.12"'), "VgFTtm");
  assert.equal(epoch('"VgFTtm.12-gzip"'), "");
  assert.equal(epoch(undefined), "");
});

test("a token that does not arrive fails the request, and is requested again", async () => {
  let calls = 0;
  const requests = new Requests({ server: "", timeout: 20, fetch: async () => new Response("{}"), token: () => {
    calls += 1;
    return calls === 1 ? new Promise(() => {}) : "token2";
  } });
  await assert.rejects(requests.send("/"), { code: "unreachable" });
  assert.equal((await requests.send("/")).status, 200);
  assert.equal(await requests.authorization(), "Bearer token2");
  assert.equal(calls, 2);
});
