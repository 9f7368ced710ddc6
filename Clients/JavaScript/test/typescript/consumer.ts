// Uses the declarations of the client with types as `granary types --typescript` writes them. Each line after @ts-expect-error
// must not compile.
import { GranaryError, Machine as Session, connect, open } from "../../src/granary.js";
import { useMachine } from "../../src/react.js";
import "../../src/granary-machine.js";
import { Machine } from "./machines";

type Counter = Machine<"counter">;

export async function use(): Promise<number> {
  const counter: Session<Counter> = await connect<Counter>("counter", { name: "main", parameters: null, token: async () => "token" });
  const count: number = counter.outputs.count;
  const stop: () => void = counter.on("change", (changes, outputs) => {
    const next: number | undefined = changes.count;
    const text: string = outputs.toggleText;
    console.log(next, text);
  });
  stop();
  counter.on("status", ({ status, until }) => console.log(status === "offline", until));
  counter.on("new-session", ({ reason, session }) => console.log(reason, session));
  for await (const change of counter) console.log(change.count);
  const changed: Partial<Counter["outputs"]> = await counter.send("increment", null, { optimistic: { count: (n) => n + 1 } });
  await counter.send("isOn", true, { answered: ({ version, changes }) => console.log(version + 1, changes?.count) });
  counter.on("version", (version) => console.log(version + 1));
  await counter.send("increment");
  const tag: Session | null = document.createElement("granary-machine").machine;
  console.log(tag, changed);
  try {
    await counter.end();
  } catch (error) {
    if (error instanceof GranaryError && error.code === "refused") console.log(error.problem.detail);
  }

  // @ts-expect-error
  await counter.send("isOn");
  // @ts-expect-error
  await counter.send("isOn", "true");
  // @ts-expect-error
  await counter.send("absent");
  // @ts-expect-error
  await counter.send("increment", null, { optimistic: { count: "1" } });
  // @ts-expect-error
  const wrong: string = counter.outputs.count;
  // @ts-expect-error
  counter.on("changed", () => undefined);
  // @ts-expect-error
  open<Counter>("counter", { name: 1 });

  const untyped = open("anything");
  await untyped.send("increment", { any: 1 });
  console.log(untyped.outputs.anything, wrong);
  return count;
}

export function component(): string {
  const { outputs, status, send } = useMachine<Counter>("counter", { name: "main" });
  void send("increment");
  // @ts-expect-error
  void send("isOn", 1);
  return `${status} ${outputs.count ?? 0}`;
}
