import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { patient, until } from "./support/environment.js";
import { closing, live, server } from "./support/machines.js";
import { StreamHub } from "../src/hub.js";

/** The shared worker, to which each page connects again: it may hang, and go on. */
const worker = {
  hub: new StreamHub(),
  isHanging: false,
  connections: 0,
  waiting: [],
  do(action) {
    if (this.isHanging) this.waiting.push(action);
    else action();
  },
  goOn() {
    this.isHanging = false;
    for (const action of this.waiting.splice(0)) action();
  },
};
afterEach(() => worker.goOn());

globalThis.SharedWorker = class {
  port = {
    onmessage: null,
    postMessage: (followed, [port] = []) => port && worker.do(() => {
      const { port1: near, port2: far } = new MessageChannel();
      near.onmessage = ({ data }) => worker.do(() => port.postMessage(data));
      port.onmessage = ({ data }) => worker.do(() => near.postMessage(data));
      worker.hub.follow(followed, far);
    }),
  };
  constructor() {
    worker.connections += 1;
  }
  addEventListener() {}
};
const { open } = await import("../src/granary.js");

const machine = (options = {}) => closing(open("counter", { server: server.url, timeout: patient, shared: true, ...options }));

/** Keeps the counts that a machine shows. */
function counts(counter) {
  const shown = [];
  counter.on("change", ({ count }) => count && shown.push(count));
  return shown;
}

test("a worker that hangs for a while is asked again, also by a page that sends nothing", async () => {
  const counter = machine();
  await live(counter);
  const shown = counts(counter);
  const before = worker.connections;
  worker.isHanging = true;
  server.turn(server.sessions.get(counter.id), { count: 1 });
  await until(() => worker.connections > before, "the page connects again");
  worker.goOn();
  await live(counter);
  server.turn(server.sessions.get(counter.id), { count: 2 });
  await until(() => counter.outputs.count === 2, "the changes");
  assert.deepEqual(shown, [1, 2]);
  assert.equal(server.streams.size, 1);
});

test("a page no longer uses a worker that hangs, and shows each change once when it goes on", async () => {
  const counter = machine();
  await live(counter);
  const shown = counts(counter);
  worker.isHanging = true;
  const sent = [1, 2, 3].map(() => counter.send("increment"));
  const other = machine({ session: counter.id });
  await Promise.all(sent);
  await live(counter, other);
  worker.goOn();
  await counter.send("increment");
  await until(() => other.outputs.count === 4 && server.streams.size === 1, "only that stream");
  assert.deepEqual(shown, [1, 2, 3, 4]);
  assert.deepEqual([...server.runs.values()], [1, 1, 1, 1]);
  const { connections } = worker;
  await live(machine());
  assert.equal(worker.connections, connections);
});
