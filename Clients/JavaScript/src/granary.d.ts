/** The types of a machine, as `granary types --typescript` writes them: `Machine<"counter">`. */
export interface MachineTypes {
  parameters: unknown;
  inputs: object;
  outputs: object;
  events: object;
}

/** A machine without known types. */
export interface AnyMachine extends MachineTypes {
  parameters: unknown;
  inputs: Record<string, any>;
  outputs: Record<string, any>;
  events: Record<string, any>;
}

export interface Options<M extends MachineTypes = AnyMachine> {
  /** The name of the session, with which a reloaded page, another tab and another device find it again. */
  name?: string;
  /** The parameters of a new session. */
  parameters?: M["parameters"];
  /** The address of the server, such as `https://granary.example`. Default: the server of the page. */
  server?: string;
  /** A token, or a function that returns the current one. Its promise has `timeout` to settle. It is called again when the server no longer accepts the previous one. */
  token?: string | (() => string | null | undefined | Promise<string | null | undefined>);
  /** What tells principals apart, who do not share a stream. Default: the issuer and subject of the token. */
  principal?: string;
  /** The id of an existing session. No other one is created in its place. */
  session?: string;
  /** A ticket for that session. */
  ticket?: string;
  /** Whether a session that has ended is replaced. Default: true. */
  renew?: boolean;
  /** The number of inputs that may wait for a response. With 0, they fail while there is no connection. Default: 100. */
  queue?: number;
  /** For how many milliseconds the server remembers keys (`sessions.idempotencyWindow`). Default: 600,000. */
  retention?: number;
  /** The longest time in milliseconds for a response. Default: 30,000. */
  timeout?: number;
  /** Whether the tabs of the browser share a stream. Default: true in a page, unless there is a `fetch`. */
  shared?: boolean;
  /** Whether cookies are sent to a server of another origin. Default: those of the page's own origin. */
  credentials?: RequestCredentials;
  /** A replacement for `fetch`, also for the stream. */
  fetch?: typeof fetch;
}

export interface Status {
  /**
   * - `connecting`: the session is being found or created, or its stream opens for the first time
   * - `live`: the outputs are current
   * - `offline`: there is no connection; the next attempt is at `until`
   * - `ended`: the session has ended for a `reason`, and the client does nothing more
   */
  status: "connecting" | "live" | "offline" | "ended";
  reason?: string;
  /** A sentence for people. */
  message?: string;
  /** The time of the next attempt, in milliseconds since 1970. */
  until?: number;
  /** Whether a request has been pending for more than a second. */
  isLate: boolean;
}

export interface NewSession {
  /** Why the previous one was replaced: `deleted`, `expired`, `unknown`, `requested` and others. */
  reason: string;
  /** The id of the new session. */
  session: string;
}

export interface End {
  reason: string;
  message: string;
}

/** The output and value of an event. */
export type Emitted<M extends MachineTypes> = {
  [Output in keyof M["events"]]: { output: Output; value: M["events"][Output] };
}[keyof M["events"]];

export type Optimistic<M extends MachineTypes> = {
  [Output in keyof M["outputs"]]?: M["outputs"][Output] | ((current: M["outputs"][Output]) => M["outputs"][Output]);
};

export interface SendOptions<M extends MachineTypes> {
  /** Values that are shown until there is a response, or functions of the current ones. */
  optimistic?: Optimistic<M>;
  /** Called with the response, which may be ahead of the stream. `changes` is null if they are unknown. */
  answered?: (response: { version: number; changes: Partial<M["outputs"]> | null }) => void;
}

/** The value of an input, which is omitted if it has none. */
export type Value<M extends MachineTypes, Input extends keyof M["inputs"]> = null extends M["inputs"][Input]
  ? [value?: M["inputs"][Input], options?: SendOptions<M>]
  : [value: M["inputs"][Input], options?: SendOptions<M>];

export interface Invitation {
  machine: string;
  session: string;
  ticket: string;
}

/** A session of a machine. */
export class Machine<M extends MachineTypes = AnyMachine> implements AsyncIterable<Partial<M["outputs"]>> {
  constructor(machine: string, options?: Options<M>);
  readonly machine: string;
  /** The current outputs, with optimistic changes. Empty until the session is there. */
  readonly outputs: M["outputs"];
  /** The version of the session that the outputs have; -1 until it is there. */
  readonly version: number;
  /** The id of the session; null until it is there. */
  readonly id: string | null;
  readonly status: Status;
  /** Whether the session belongs to somebody else. */
  readonly isGuest: boolean;
  readonly isEnded: boolean;
  /** Resolves when the session has its first outputs. */
  readonly ready: Promise<Machine<M>>;
  on(event: "change", listener: (changes: Partial<M["outputs"]>, outputs: M["outputs"]) => void): () => void;
  on(event: "event", listener: (emitted: Emitted<M>) => void): () => void;
  on(event: "status", listener: (status: Status) => void): () => void;
  /** The stream has reached a version. */
  on(event: "version", listener: (version: number) => void): () => void;
  on(event: "new-session", listener: (session: NewSession) => void): () => void;
  on(event: "end", listener: (end: End) => void): () => void;
  send<Input extends keyof M["inputs"] & string>(input: Input, ...value: Value<M, Input>): Promise<Partial<M["outputs"]>>;
  [Symbol.asyncIterator](): AsyncIterableIterator<Partial<M["outputs"]>>;
  /** Follows a session that somebody else has shared with a ticket. Inputs that wait for the current one are rejected. */
  join(session: string, ticket: string): Promise<unknown>;
  /** Requests a ticket with which somebody else takes part in the session. */
  invite(terms?: object): Promise<Invitation>;
  /** Begins a new session in place of the current one. */
  restart(): Promise<unknown>;
  /** Tries to reach the server without a further pause. */
  reconnect(): void;
  /** Stops following. The session expires on the server. */
  close(): void;
  /** Stops following and deletes the session. */
  end(): Promise<void>;
}

export class GranaryError extends Error {
  readonly code: "refused" | "unreachable" | "unknown" | "ended" | "full" | "closed";
  /** The status of the response; 0 if there was none. */
  readonly status: number;
  /** The time in milliseconds after which the server asks to repeat the request. */
  readonly retryAfter: number;
  /** The problem details (RFC 9457). */
  readonly problem: { type?: string; title?: string; detail?: string; errors?: { pointer: string; detail: string }[]; [member: string]: unknown };
  /** Whether a repetition of the request would fail again. */
  readonly isLasting: boolean;
}

/** Creates a session of a machine, or finds the one with a name. Inputs wait until it is there. */
export function open<M extends MachineTypes = AnyMachine>(machine: string, options?: Options<M>): Machine<M>;

/** Creates a session of a machine, or finds the one with a name. Resolves when it has its first outputs. */
export function connect<M extends MachineTypes = AnyMachine>(machine: string, options?: Options<M>): Promise<Machine<M>>;
