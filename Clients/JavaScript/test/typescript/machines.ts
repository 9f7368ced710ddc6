// Types of machines, as `granary types --typescript --machine counter` writes them. Scripts/test-clients replaces them by those of
// the server.

/** The machines by name. */
export interface Machines {
  /** Counts. */
  counter: {
    parameters: null;
    inputs: {
      decrement: null;
      increment: null;
      isOn: boolean;
    };
    outputs: {
      count: number;
      isDecrementEnabled: boolean;
      isIncrementEnabled: boolean;
      toggleText: string;
    };
    events: Record<never, never>;
  };
}

/** The name of a machine. */
export type MachineName = keyof Machines;

/** The types of a machine: `Machine<'counter'>['outputs']`. */
export type Machine<Name extends MachineName> = Machines[Name];
