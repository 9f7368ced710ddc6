public import Access
public import StateCapture

/// The description of a machine: its name, inputs, outputs and factory. Created once at registration and shared by all
/// loops.
public struct MachineDefinition: Sendable {
    /// The name in paths: up to 64 lower-case letters, digits and hyphens, starting with a letter.
    public let name: String
    /// A one-sentence description for people.
    public let summary: String
    /// The inputs that clients may send, in source order.
    public let inputs: [InputDefinition]
    /// The outputs of a session, in source order. An output is identified by its index.
    public internal(set) var outputs: [OutputDefinition]
    /// Creates the machine of a session, on the session's loop. If it throws, the client receives a 500 with an
    /// incident id, and the error is logged.
    public let make: @Sendable (SessionContext) throws -> any HostedMachine

    /// The parameters that a client states when it creates a session; nil if the machine takes no parameters.
    public var parameters: ParametersDefinition?
    /// The durability of the sessions of this machine; nil for the host's default, or ``Durability/memory`` if the machine cannot
    /// be captured.
    ///
    /// A value counts also where the host's default is another one. A server that stores sessions (`serve`) then keeps it or
    /// does not start. A host without a journal stores nothing, whatever the value is, and logs a warning.
    public var durability: Durability?
    /// Whether the machine of a session that nobody uses may be released, and created again from its stored state when it
    /// is needed.
    ///
    /// Set it for a machine whose asynchronous work consists of declared effects and timers (`context.effect`,
    /// `context.timer`), and of operators with the session's scheduler or the main queue. The host
    /// cannot see other work, such as a task or a request of its own, and would lose it.
    public var hibernates = false
    /// The rule for what principals may do with sessions of this machine, in addition to their ownership; nil if they may do everything.
    public var rule: AccessRule?
    /// The outputs that each viewer sees; nil if all viewers see all outputs.
    var outputViews: OutputViews?
    /// The members and operators that keep a session's machine from being captured, found at registration; nil if the
    /// machine was not inspected, so that nothing is known about its state.
    public package(set) var captureObstacles: [CaptureObstacle]?
    /// The names of members and operators that are not captured.
    package var transient: Set<String> = []
    /// The names of inputs and members whose values are stored encrypted.
    package var secrets: Set<String> = []
    /// The names of inputs, outputs, members and parameters whose values operators do not see.
    package var sensitive: Set<String> = []
    /// Whether the host has no key for the secrets.
    package var lacksKey = false
    /// The version of the captured state.
    package var stateVersion = 1
    /// The migrations from each older version, in order.
    package var migrations: [Int: [StateMigration]] = [:]
    /// The captured members, found at registration; nil if the machine was not inspected.
    package var stateShape: StateShape?
    /// Whether the outputs are everything that reflection found in a store, including private properties.
    package var showsWholeStore = false
    /// Warnings about the registration, which the host logs.
    package var warnings: [String] = []

    /// Creates a definition.
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

extension MachineDefinition {
    /// Returns the definition with a rule.
    ///
    /// It is consulted on the event loop for the creation of a session, for reading it, for each input, for its end and for its
    /// tickets, so it must not wait. What it denies gets 403 with its reason.
    ///
    /// - Parameter decide: Receives the principal, nil for clients without credentials and for holders of tickets, and the
    ///   operation.
    public func restricted(
        by decide: @escaping @Sendable (_ principal: Principal?, _ operation: AccessOperation) -> AccessDecision
    ) -> MachineDefinition {
        var definition = self
        definition.rule = AccessRule(decide)
        return definition
    }

    /// The reason that keeps the machine from being captured or stored; nil if it can be stored.
    package var obstacleText: String? {
        guard let captureObstacles else { return "its state is not known" }
        if !captureObstacles.isEmpty { return captureObstacles.map(\.description).joined(separator: "; ") }
        guard lacksKey else { return nil }
        let names = secrets.sorted().joined(separator: ", ")
        return "no key is configured to store what is secret: \(names)"
    }

    /// Returns the durability of the machine's sessions.
    ///
    /// - Parameters:
    ///   - stored: The greatest durability of stored sessions; ``Durability/memory`` if no sessions are stored.
    ///   - preset: The durability if the definition requests none; nil for the same.
    package func durability(stored: Durability, byDefault preset: Durability? = nil) -> Durability {
        guard captureObstacles == [], !lacksKey else { return .memory }
        return min(durability ?? preset ?? stored, stored)
    }
}

/// An input of a machine.
public struct InputDefinition: Sendable {
    /// The name in paths and batches.
    public let name: String
    /// The schema of the value; ``JSONSchema/null`` for an input without a value.
    public let schema: JSONSchema
    /// Decodes the bytes of one JSON value into an input that can be run. The syntax of the value has been checked; a
    /// missing body is passed as `null`. Throws if the value does not match the type.
    public let prepare: @Sendable (ArraySlice<UInt8>) throws(InputMismatch) -> PreparedInput

    /// Creates a definition.
    public init(
        name: String, schema: JSONSchema,
        prepare: @escaping @Sendable (ArraySlice<UInt8>) throws(InputMismatch) -> PreparedInput
    ) {
        self.name = name
        self.schema = schema.withOutermostDefinitions
        self.prepare = prepare
    }
}

/// A decoded input, ready to be sent to a machine of its definition.
public struct PreparedInput {
    /// Sends the input to a machine. Called inside a turn, on the session's loop. Throws if the state that the input
    /// targets does not exist; the machine is then unchanged, and the client receives a 409.
    public let run: (any HostedMachine) throws(InputRefusal) -> Void

    /// Creates a definition.
    public init(run: @escaping (any HostedMachine) throws(InputRefusal) -> Void) {
        self.run = run
    }
}

/// A mismatch between a JSON value and the type of an input. The client receives a 422.
public struct InputMismatch: Error, Equatable, Sendable {
    /// The place in the value, as a JSON Pointer (RFC 6901); empty for the value itself.
    public var pointer: String
    /// The expected and the received value: `expected a boolean, got the string "on"`.
    public var detail: String
    /// Further mismatches of the same value. Their own ``others`` are empty.
    public var others: [InputMismatch]

    /// Creates a mismatch.
    public init(pointer: String, detail: String, others: [InputMismatch] = []) {
        self.pointer = pointer
        self.detail = detail
        self.others = others
    }
}

/// An output of a machine.
public struct OutputDefinition: Sendable {
    /// The kind of an output.
    public enum Kind: String, Sendable {
        /// The output has a current value, which snapshots contain.
        case value
        /// The output emits events. It has no current value and is in no snapshot.
        case event
    }

    /// The name in snapshots and changes; never starts with `$`.
    public let name: String
    /// The schema of the values.
    public let schema: JSONSchema
    /// The kind: value or event.
    public let kind: Kind
    /// Whether the output certainly has a value from the beginning.
    package let isAlwaysPresent: Bool

    /// Creates a definition.
    public init(name: String, schema: JSONSchema, kind: Kind) {
        self.init(name: name, schema: schema, kind: kind, isAlwaysPresent: false)
    }

    package init(name: String, schema: JSONSchema, kind: Kind, isAlwaysPresent: Bool) {
        self.name = name
        self.schema = schema.withOutermostDefinitions
        self.kind = kind
        self.isAlwaysPresent = isAlwaysPresent
    }
}
