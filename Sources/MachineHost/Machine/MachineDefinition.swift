/// What the host knows of a machine before there is a session of it: read once, when it is registered, and shared by
/// every loop.
public struct MachineDefinition: Sendable {
    /// The name in paths: lower-case letters, digits and hyphens, at most 64 of them, beginning with a letter.
    public let name: String
    /// One sentence for people.
    public let summary: String
    /// What a client may send, in the order of the source.
    public let inputs: [InputDefinition]
    /// What a session shows, in the order of the source; an output's place is its index everywhere.
    public let outputs: [OutputDefinition]
    /// Makes the machine of one session, on the session's loop. Throws if what the machine needs is not there; the client
    /// then gets a 500 with an incident id and the log has the error.
    public let make: @Sendable (SessionContext) throws -> any HostedMachine

    /// Whether the outputs are all that reflection found in a store, private properties among them.
    package var showsWholeStore = false

    /// A definition from its parts.
    public init(
        name: String, summary: String, inputs: [InputDefinition], outputs: [OutputDefinition],
        make: @escaping @Sendable (SessionContext) throws -> any HostedMachine
    ) {
        self.name = name
        self.summary = summary
        self.inputs = inputs
        self.outputs = outputs
        self.make = make
    }
}

/// An input of a machine.
public struct InputDefinition: Sendable {
    /// Its name in paths and batches.
    public let name: String
    /// What its value has to look like; ``JSONSchema/null`` for an input without a value.
    public let schema: JSONSchema
    /// Turns the bytes of one JSON value (its syntax has been checked; `null` stands for no body) into an input that can be
    /// run. Throws if the value does not fit.
    public let prepare: @Sendable (ArraySlice<UInt8>) throws(InputMismatch) -> PreparedInput

    /// A definition from its parts.
    public init(
        name: String, schema: JSONSchema,
        prepare: @escaping @Sendable (ArraySlice<UInt8>) throws(InputMismatch) -> PreparedInput
    ) {
        self.name = name
        self.schema = schema
        self.prepare = prepare
    }
}

/// A decoded input, ready to be sent to a machine of the definition that it came from.
public struct PreparedInput {
    /// Sends it. Called inside a turn, on the session's loop. Throws if the machine has no state that could take it; the
    /// machine is then unchanged, and the client gets a 409.
    public let run: (any HostedMachine) throws(InputRefusal) -> Void

    /// Creates an input that does this to a machine.
    public init(run: @escaping (any HostedMachine) throws(InputRefusal) -> Void) {
        self.run = run
    }
}

/// An input for state that does not exist, such as a row that was removed: the client gets a 409.
public struct InputRefusal: Error, Equatable, Sendable {
    /// What is missing, for clients: a clause without a full stop, such as `"item" has no element with id 7`.
    public var reason: String

    /// Creates a refusal with its reason.
    public init(reason: String) {
        self.reason = reason
    }
}

/// A JSON value that is no value for an input: answered with 422.
public struct InputMismatch: Error, Equatable, Sendable {
    /// Where in the value, as a JSON Pointer (RFC 6901); empty for the value itself.
    public var pointer: String
    /// What was expected and what was received: `expected a boolean, got the string "on"`.
    public var detail: String
    /// What else is wrong with the value; these have no others.
    public var others: [InputMismatch]

    /// Creates a mismatch at a place.
    public init(pointer: String, detail: String, others: [InputMismatch] = []) {
        self.pointer = pointer
        self.detail = detail
        self.others = others
    }
}

/// An output of a machine.
public struct OutputDefinition: Sendable {
    /// Whether an output has a current value.
    public enum Kind: String, Sendable {
        /// It has one, and is in every snapshot once it has.
        case value
        /// It only happens, and is in no snapshot.
        case event
    }

    /// Its name in snapshots and changes; never begins with `$`.
    public let name: String
    /// What its values look like.
    public let schema: JSONSchema
    /// Value or event.
    public let kind: Kind

    /// A definition from its parts.
    public init(name: String, schema: JSONSchema, kind: Kind) {
        self.name = name
        self.schema = schema
        self.kind = kind
    }
}
