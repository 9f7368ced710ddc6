// Uses the types that `granary types --typescript` prints. Each line after @ts-expect-error must not compile.
import { Machine, MachineName } from "./machines";

type Outputs<Name extends MachineName> = Machine<Name>["outputs"];

/** Sends an input, as a typed client would. */
declare function send<Name extends MachineName, Input extends keyof Machine<Name>["inputs"]>(
  machine: Name, input: Input, value: Machine<Name>["inputs"][Input]): void;

const outputs: Outputs<"observable-counter"> = { count: 1 };
const next: number = outputs.count + 1;
send("observable-counter", "increment", null);
console.log(next);

// @ts-expect-error
const missing: Outputs<"observable-counter"> = {};
// @ts-expect-error
const wrong: Outputs<"observable-counter"> = { count: "1" };
// @ts-expect-error
send("observable-counter", "increment", 5);
// @ts-expect-error
send("observable-counter", "absent", null);
// @ts-expect-error
send("absent", "increment", null);
