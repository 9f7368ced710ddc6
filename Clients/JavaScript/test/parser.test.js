import assert from "node:assert/strict";
import { test } from "node:test";

import { EventParser } from "../src/parser.js";

const text = 'retry: 1500\n\nevent: snapshot\nid: a.1\ndata: {"count":"é"}\n\n: keep-alive\n\nevent:change\r\ndata: one\r\ndata: two\r\n\r\ndata\r\rdata: rest\n';
const expected = [["snapshot", '{"count":"é"}'], ["change", "one\ntwo"], ["message", ""]];

function parse(...pieces) {
  const events = [];
  const parser = new EventParser((name, data) => events.push([name, data]));
  for (const piece of pieces) parser.push(piece);
  return { events, retry: parser.retry };
}

test("events are read however their text is split", () => {
  for (let first = 0; first <= text.length; first += 1) {
    for (let second = first; second <= text.length; second += 1) {
      const pieces = [text.slice(0, first), text.slice(first, second), text.slice(second)];
      assert.deepEqual(parse(...pieces), { events: expected, retry: 1500 }, JSON.stringify(pieces));
    }
  }
});

test("an incomplete event is not dispatched", () => {
  assert.deepEqual(parse("event: change\ndata: 1\n").events, []);
  assert.deepEqual(parse("event: change\ndata: 1\n", "\n").events, [["change", "1"]]);
});

test("comments, unknown fields, events without data and invalid times are ignored", () => {
  assert.deepEqual(parse(": data: 1\n\nevent: change\n\nother: 1\nretry: -1\nretry: soon\n\n"), { events: [], retry: undefined });
});

test("a long line in many pieces is read once", () => {
  const value = "x".repeat(1000);
  const { events } = parse("data: ", ...Array(2000).fill(value), "\n\n");
  assert.equal(events[0][1].length, 2_000_000);
});
