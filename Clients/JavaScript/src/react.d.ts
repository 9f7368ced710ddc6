import type { AnyMachine, Machine, MachineTypes, Options, Status, Value } from "./granary.js";

export interface Used<M extends MachineTypes> {
  /** The current outputs; empty until the session is there. */
  outputs: Partial<M["outputs"]>;
  status: Status["status"];
  /** Sends an input. It can be used as long as the component is mounted. */
  send<Input extends keyof M["inputs"] & string>(input: Input, ...value: Value<M, Input>): Promise<Partial<M["outputs"]>>;
  /** The machine; null until the component is mounted. */
  machine: Machine<M> | null;
}

/** Follows a machine as long as the component is mounted. Another name or other options begin another session; functions may differ each time, and the latest ones are called. */
export function useMachine<M extends MachineTypes = AnyMachine>(machine: string, options?: Options<M>): Used<M>;
