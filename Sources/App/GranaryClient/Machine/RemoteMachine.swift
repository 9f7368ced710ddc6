#if canImport(Combine) && canImport(Darwin)
    public import Combine
#else
    public import CombineCore
#endif

/// A machine that a server hosts: sends inputs to its session and shows its outputs.
///
/// It is used as the view model itself would be. A view observes it and reads ``outputs``, of which a turn changes all parts at
/// once:
///
///     Text("\(counter.outputs.count)")
///     Button("+") { Task { try await counter.send(.increment) } }
///
/// The outputs are there from the beginning. While the server cannot be reached, they are the last known ones, and ``status``
/// says so. Get a machine from ``GranaryConnection/machine(_:named:whenSessionEnds:)``.
@MainActor
@dynamicMemberLookup
public final class RemoteMachine<Schema: MachineSchema>: ObservableObject {
    /// The outputs that have a value.
    @Published public internal(set) var outputs: Schema.Outputs
    /// Whether the outputs are current.
    @Published public internal(set) var status = SessionStatus.connecting
    /// The id of the session. Whoever knows it can use a session that was created without credentials.
    public internal(set) var id: String
    /// The connection.
    public let connection: GranaryConnection

    var position: SessionPosition
    private(set) var names: Set<String>
    /// The request that creates another session after the end of this one; nil to stop.
    let creation: [UInt8]?
    /// The sessions that were created in a row without ever being settled.
    var newSessions = 0
    var liveSince: Duration?
    var restart: (any ScheduledWork)?
    var queue: SendQueue
    var sends: [Int: PendingSend] = [:]
    var nextSend = 0
    let changeSubject = PassthroughSubject<MachineChange<Schema>, Never>()
    private var subscriptions: [WeakSubscription] = []

    private struct WeakSubscription {
        weak var subscription: ChangeSubscription<Schema>?
    }

    init(
        _ session: SessionDescription, of connection: GranaryConnection, creation: [UInt8]?
    ) throws(GranaryError) {
        self.connection = connection
        self.creation = creation
        id = session.id
        (outputs, names) = try Self.read(session.outputs)
        position = SessionPosition(version: session.version)
        queue = SendQueue(limit: connection.configuration.maxQueuedInputs)
    }

    deinit {
        let connection = connection
        Task { @MainActor in connection.removeReleased() }
    }

    /// An output.
    public subscript<Value>(dynamicMember member: KeyPath<Schema.Outputs, Value>) -> Value { outputs[keyPath: member] }

    /// The version of the outputs; nil if it is not known.
    public var version: UInt64? { position.version }

    /// The current state, and then each change, as a sequence. Each call returns a sequence of its own.
    public var changes: MachineChanges<Schema> {
        let subscription = ChangeSubscription<Schema>(limit: connection.configuration.maxBufferedChanges)
        subscription.send(
            MachineChange(kind: .snapshot, version: version, changed: names, outputs: outputs, events: []))
        if isOver {
            subscription.finish()
        } else {
            subscriptions.removeAll { $0.subscription == nil }
            subscriptions.append(WeakSubscription(subscription: subscription))
        }
        return MachineChanges(machine: self, subscription: subscription)
    }

    /// Stops following the session, which continues on the server. Inputs that wait to be sent fail with
    /// ``GranaryError/closed``.
    public func close() {
        guard !isOver else { return }
        connection.leave(id, self)
        finish(.closed, failing: .closed)
    }

    /// Whether the machine shows no further changes.
    var isOver: Bool {
        if case .ended(let end) = status { end.isFinal || end == .closed } else { false }
    }

    func show(_ change: MachineChange<Schema>) {
        // Equal outputs are not published: a view has nothing to draw.
        if change.outputs != outputs { outputs = change.outputs }
        names = change.kind == .turn ? names.union(change.changed) : change.changed
        changeSubject.send(change)
        for entry in subscriptions { entry.subscription?.send(change) }
    }

    func finish(_ end: SessionEnd, failing error: GranaryError) {
        restart = nil
        status = .ended(end)
        failWaitingSends(error)
        for entry in subscriptions { entry.subscription?.finish() }
        subscriptions = []
        changeSubject.send(completion: .finished)
    }

    static func read(_ json: [UInt8]) throws(GranaryError) -> (outputs: Schema.Outputs, names: Set<String>) {
        let values = try OutputValues(json)
        return (try checked { try Schema.Outputs(values) }, values.names)
    }

    /// Returns the result of code of a schema, whose errors become errors of the client.
    static func checked<Value>(_ body: () throws -> Value) throws(GranaryError) -> Value {
        do {
            return try body()
        } catch let error as GranaryError {
            throw error
        } catch {
            throw .incompatible("\(error)")
        }
    }
}
