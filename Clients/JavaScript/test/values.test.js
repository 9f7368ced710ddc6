import assert from "node:assert/strict";
import { test } from "node:test";

import { Values, earlier, split } from "../src/values.js";

function make() {
  const log = [];
  const values = new Values((changes) => log.push(changes), (emitted) => log.push(emitted));
  values.begin({ count: 0, label: "none" }, 0);
  values.receive("snapshot", "e.0", { count: 0, label: "none" });
  log.length = 0;
  return { values, log };
}

test("a snapshot replaces all outputs, and only what differs is a change", () => {
  const { values, log } = make();
  values.receive("snapshot", "e.4", { count: 4 });
  assert.deepEqual(values.outputs, { count: 4 });
  assert.deepEqual(log, [{ count: 4, label: undefined }]);
  assert.equal(values.position, "e.4");
});

test("what was seen before is ignored, in the same epoch", () => {
  const { values, log } = make();
  values.receive("change", "e.1", { count: 1 });
  values.receive("change", "e.1", { count: 1, $emitted: [{ output: "bell", value: 1 }] });
  values.receive("snapshot", "e.0", { count: 0 });
  values.receive("resume", "e.0", { from: 0 });
  assert.deepEqual(log, [{ count: 1 }]);
  values.receive("snapshot", "f.0", { count: 9, label: "none" });
  assert.deepEqual(log.slice(1), [{ count: 9 }]);
});

test("a response is a change of the stream that came early", () => {
  const { values, log } = make();
  values.settle(undefined, 1, { count: 1, $emitted: [{ output: "bell", value: 1 }] });
  values.receive("change", "e.1", { count: 1, $emitted: [{ output: "bell", value: 1 }] });
  assert.deepEqual(log, [{ count: 1 }, { output: "bell", value: 1 }]);
  assert.equal(values.position, "e.1");
});

test("a response after a gap waits for the stream", () => {
  const { values, log } = make();
  values.settle(undefined, 3, { count: 3 });
  assert.deepEqual(log, []);
  for (const version of [1, 2, 3]) values.receive("change", `e.${version}`, { count: version });
  assert.deepEqual(log, [{ count: 1 }, { count: 2 }, { count: 3 }]);
});

test("the event of a response is reported once, also if the stream continues with a snapshot", () => {
  const ring = (value) => ({ $emitted: [{ output: "bell", value }] });
  const { values, log } = make();
  values.begin({ count: 0 }, 0);
  log.length = 0;
  values.settle(undefined, 1, ring(1));
  values.settle(undefined, 2, ring(2));
  values.receive("snapshot", "e.1", { count: 0 });
  assert.deepEqual(log, [{ output: "bell", value: 1 }]);
  values.receive("change", "e.2", ring(2));
  values.settle(undefined, 5, ring(5));
  values.receive("snapshot", "e.6", { count: 0 });
  assert.deepEqual(log.map(({ value }) => value), [1, 2, 5]);
  // The response was lost and requested again, and the stream has continued meanwhile.
  values.settle(undefined, 4, ring(4));
  values.settle(undefined, 2, {});
  assert.deepEqual(log.map(({ value }) => value), [1, 2, 5, 4]);
});

test("a prediction is shown immediately and replaced by the response without a step back", () => {
  const { values, log } = make();
  const first = values.predict({ count: (count) => count + 1 });
  const second = values.predict({ count: (count) => count + 1 });
  assert.deepEqual(values.outputs, { count: 2, label: "none" });
  values.receive("change", "e.1", { count: 1 });
  values.settle(first, 1, { count: 1 });
  values.settle(second, 2, { count: 2 });
  values.receive("change", "e.2", { count: 2 });
  assert.deepEqual(log, [{ count: 1 }, { count: 2 }]);
});

test("a wrong prediction is replaced by what the server says", () => {
  const { values } = make();
  const overlay = values.predict({ count: 7 });
  values.settle(overlay, 1, { count: 1 });
  assert.equal(values.outputs.count, 1);
});

test("a refused prediction is rolled back, and those after it are made again", () => {
  const { values, log } = make();
  const first = values.predict({ count: (count) => count + 1 });
  const second = values.predict({ count: (count) => count + 10 });
  values.settle(first);
  assert.deepEqual(values.outputs.count, 10);
  values.settle(second);
  assert.deepEqual(log, [{ count: 1 }, { count: 11 }, { count: 10 }, { count: 0 }]);
});

test("a prediction stays until the stream has the version of its response", () => {
  const { values } = make();
  const overlay = values.predict({ count: 5 });
  values.settle(overlay, 2, null);
  values.receive("change", "e.1", { label: "new" });
  assert.deepEqual(values.outputs, { count: 5, label: "new" });
  values.receive("change", "e.2", { count: 6 });
  assert.deepEqual(values.outputs, { count: 6, label: "new" });
});

test("another session has no predictions", () => {
  const { values } = make();
  values.predict({ count: 5 });
  values.begin({ count: 0 }, 0);
  assert.deepEqual(values.outputs, { count: 0 });
  assert.equal(values.position, "");
});

test("positions are compared in their epoch", () => {
  assert.deepEqual(split("a.b.12"), ["a.b", 12]);
  assert.equal(earlier("a.9", "a.10"), "a.9");
  assert.equal(earlier("a.9", "b.10"), "");
});

test("a prediction that fails when it is made again is no longer shown, and the others are", (context) => {
  const errors = context.mock.method(console, "error", () => {});
  const { values } = make();
  const refused = values.predict({ label: "first" });
  let isWrong = false;
  const failing = values.predict({ count: () => {
    if (isWrong) throw new Error("a mistake");
    return 7;
  } });
  values.predict({ count: (count) => count + 1 });
  assert.deepEqual(values.outputs, { count: 8, label: "first" });
  isWrong = true;
  values.settle(refused);
  assert.deepEqual(values.outputs, { count: 1, label: "none" });
  assert.equal(errors.mock.callCount(), 1);
  values.settle(failing, 1, { label: "last" });
  assert.deepEqual(values.outputs, { count: 1, label: "last" });
});

test("a prediction that cannot be compared is refused, and disturbs nothing later", () => {
  const { values } = make();
  assert.throws(() => values.predict({ count: 1n }), TypeError);
  values.receive("change", "e.1", { count: 1 });
  assert.deepEqual(values.outputs, { count: 1, label: "none" });
});

test("a prediction ends with a response without changes, also if the stream does not report the turn", () => {
  const { values } = make();
  const hidden = values.predict({ count: (count) => count + 5 });
  values.predict({ count: (count) => count + 1 });
  values.settle(hidden, 3, {});
  assert.equal(values.outputs.count, 1);
});

test("a first snapshot that is older than what was read changes nothing", () => {
  for (const epoch of ["", "e"]) {
    const { values, log } = make();
    values.begin({ count: 5 }, 5, epoch);
    log.length = 0;
    values.receive("snapshot", "e.4", { count: 4 });
    values.receive("change", "e.5", { count: 5 });
    assert.deepEqual(log, []);
    assert.equal(values.position, "e.5");
    values.receive("change", "e.6", { count: 6 });
    assert.deepEqual(log, [{ count: 6 }]);
  }
});

test("a session that was restored to an older state between the read and the stream is shown", () => {
  const { values } = make();
  values.begin({ count: 500 }, 500, "e");
  values.receive("snapshot", "f.3", { count: 3 });
  assert.deepEqual(values.outputs, { count: 3 });
  assert.equal(values.position, "f.3");
});

test("values of an epoch that was left do not replace newer ones", () => {
  const { values } = make();
  values.receive("snapshot", "e.500", { count: 500 });
  const overlay = values.predict({ count: 700 });
  values.settle(overlay, 502, null);
  values.receive("snapshot", "f.3", { count: 3 });
  assert.equal(values.outputs.count, 3);
  values.receive("snapshot", "e.501", { count: 501 });
  values.receive("change", "e.502", { count: 502 });
  values.receive("change", "g.9", { count: 9 });
  assert.deepEqual([values.outputs.count, values.position], [3, "f.3"]);
  values.receive("change", "f.4", { count: 4 });
  assert.equal(values.outputs.count, 4);
});

test("a client that sees other outputs may see the previous ones again", () => {
  const { values } = make();
  values.receive("snapshot", "owner.5", { count: 5, secret: 1 });
  values.receive("snapshot", "guest.5", { count: 5 });
  // A response is ahead of the stream.
  values.settle(undefined, 6, { count: 6 });
  values.receive("snapshot", "owner.5", { count: 5, secret: 1 });
  values.receive("change", "owner.6", { count: 6 });
  assert.deepEqual(values.outputs, { count: 6, secret: 1 });
  values.receive("snapshot", "guest.4", { count: 4 });
  assert.deepEqual(values.outputs, { count: 6, secret: 1 });
});

test("what the worker has kept of another epoch is shown only if the server continues there", () => {
  for (const [continued, count] of [["snapshot", 4], ["resume", 501]]) {
    const { values } = make();
    values.begin({ count: 3 }, 3, "f");
    values.receive("snapshot", "e.500", { count: 500 }, true);
    assert.equal(values.outputs.count, 3);
    if (continued === "snapshot") values.receive("snapshot", "f.4", { count: 4 });
    else values.receive("resume", "e.500", { from: 500 });
    values.receive("change", "e.501", { count: 501 });
    assert.equal(values.outputs.count, count);
  }
});
