import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { patient, random, until } from "./support/environment.js";
import { Proxy } from "./support/proxy.js";
import { FakeServer } from "./support/server.js";
import { open } from "../src/granary.js";

/** The number of random schedules, and of those and other cases that run at the same time. */
const schedules = Number(process.env.SCHEDULES ?? (process.env.THOROUGH ? 1000 : 100));
const together = 16;

/** The number of bytes after which a connection is damaged: after each of them, or after some. */
const bytes = 200;
const step = process.env.THOROUGH ? 1 : 7;
const sizes = Array.from({ length: Math.floor(bytes / step) + 1 }, (_, index) => index * step);

/** @type {FakeServer} */
let server;
before(async () => (server = await new FakeServer().start()));
after(() => server.stop());

/** Runs all cases, some at a time, and reports the first that fails with its name. */
async function all(cases, run) {
  const rest = [...cases];
  await Promise.all(Array.from({ length: together }, async () => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
      try {
        await run(next);
      } catch (error) {
        rest.length = 0;
        throw new Error(`${JSON.stringify(next)}: ${error.stack}`);
      }
    }
  }));
}

/**
 * Drives a counter through a damaging proxy. In the end, its outputs are those of the session, each input has run once, each event
 * was reported once, and only one session was created.
 */
async function drive(plan, { inputs = 3, disturb = async () => {}, name } = {}) {
  const proxy = await new Proxy(server.port, plan).start();
  const before = server.sessions.size;
  const counter = open("counter", { server: proxy.url, timeout: patient, token: () => "token", principal: name });
  const bells = [];
  const changes = [];
  counter.on("event", ({ value }) => bells.push(value));
  counter.on("change", ({ count }) => count !== undefined && changes.push(count));
  counter.on("new-session", () => assert.fail("a session was lost"));
  try {
    await counter.ready;
    const mine = server.sessions.get(counter.id);
    const sent = [];
    for (let number = 1; number <= inputs; number += 1) {
      sent.push(counter.send("add", number, { optimistic: { count: (count) => count + number } }), counter.send("ring", number));
      await disturb(number, mine, proxy);
    }
    await Promise.all(sent);
    await until(() => counter.version === mine.version && counter.status.status === "live", "the client catches up");
    assert.deepEqual(counter.outputs, mine.outputs);
    assert.equal(mine.outputs.count, inputs * (inputs + 1) / 2);
    assert.deepEqual(bells, Array.from({ length: inputs }, (_, index) => index + 1));
    assert.deepEqual(changes, [...changes].sort((a, b) => a - b), "nothing steps back");
    assert.equal(mine.keys.size, 2 * inputs);
    for (const key of mine.keys.keys()) assert.equal(server.runs.get(key), 1);
    return { created: server.sessions.size - before, id: counter.id };
  } finally {
    counter.close();
    await proxy.stop();
  }
}

for (const damage of ["cutRequest", "cutResponse"]) {
  test(`connections that are cut after each of the first bytes lose and repeat nothing: ${damage}`, async () => {
    await all(sizes, (byte) => drive((number) => number < 4 ? { [damage]: byte } : {}));
  });
}

test("requests that arrive twice, late, have run once", async () => {
  const cases = Array.from({ length: 20 }, (_, index) => ({ delay: 5 * index, duplicate: true }));
  await all(cases, (damage) => drive(() => damage));
});

test("responses with a wrong length are requested again", async () => {
  await all(sizes.slice(1).flatMap((size) => [size, -size]), (length) => drive((number) => number < 3 ? { length } : {}));
});

test("statuses of somebody between the client and the server pass", async () => {
  await all([401, 408, 421, 425, 429, 500, 502, 503, 504], async (status) => {
    await drive((number) => number > 0 && number < 4 ? { status, fields: { "Retry-After": "1" } } : {});
  });
});

/** Returns what happens to a connection. */
function damage(chance) {
  const byte = Math.floor(chance() * bytes);
  const kinds = [
    {}, {}, { cutRequest: byte }, { cutResponse: byte }, { cutResponse: 5 * byte }, { refuse: true }, { delay: byte / 4 },
    { duplicate: true }, { length: byte - bytes / 2 },
    { status: [401, 421, 429, 503][byte % 4], fields: { "Retry-After": String(byte % 2) } },
  ];
  return kinds[Math.floor(chance() * kinds.length)];
}

test(`${schedules} random schedules lose and repeat nothing`, async () => {
  const first = Number(process.env.SEED ?? 1);
  await all(Array.from({ length: schedules }, (_, index) => first + index), async (seed) => {
    const chance = random(seed);
    await drive((number) => number < 15 ? damage(chance) : {}, {
      inputs: 4,
      async disturb(_, session, proxy) {
        const kind = Math.floor(chance() * 5);
        if (kind === 0) proxy.cut();
        if (kind === 1) server.turn(session, { label: `label ${seed}` });
        if (kind === 2) {
          for (const stream of server.streams) {
            if (stream.sessions.includes(session.id)) stream.write('retry: 50\nevent: end\ndata: {"reason":"rotated"}\n\n');
          }
        }
        if (kind === 3) await new Promise((resolve) => setTimeout(resolve, 200 * chance()));
      },
    });
  });
});
