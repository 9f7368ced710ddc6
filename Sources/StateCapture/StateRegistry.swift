public import CStateSlot

/// The parts of one machine whose state survives the process: the operators that are subscribed while the machine is
/// wired, and its members. Confined to the session's loop.
///
/// A machine is *wired* when its factory runs: it connects its inputs, its store and its outputs. A registry is current
/// on its thread during that time. A machine that is restored is wired by the same code, with these differences:
/// - A part that registers receives its stored state.
/// - Sources that would send a value to a new subscriber do not (``isRestoring``), because that value was sent when the
///   machine was first wired. Completions are sent, because they decide which parts exist.
/// - Subscribers outside of the machine's graph (`sink`, `assign`) ignore what they receive.
/// - Timers start after the wiring, by ``StatefulPart/resume()``.
public final class StateRegistry {
    /// The registry of the machine that the calling thread is wiring.
    // The slot holds the registry without retaining it: `wire(_:)` keeps it alive while it is set.
    @inlinable public static var current: StateRegistry? {
        guard let pointer = granary_state_registry() else { return nil }
        return Unmanaged<StateRegistry>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Whether the calling thread is wiring a machine from its stored state.
    @inlinable public static var isRestoring: Bool {
        guard let pointer = granary_state_registry() else { return false }
        return Unmanaged<StateRegistry>.fromOpaque(pointer).takeUnretainedValue().isRestoring
    }

    /// The wall time in nanoseconds since 1970 at which the clock of the current registry's session was zero.
    static var clockOffset: Int64 { current?.clockOffset ?? 0 }

    /// The names of members and operators that are not captured: `token`, `search.cache`, `debounce`.
    public var transient: Set<String> = []
    /// The names in ``transient`` that exist.
    public private(set) var foundTransient: Set<String> = []
    /// The work that was in progress when the machine was captured, and that does not continue by itself.
    public private(set) var interruptedWork: [InterruptedWork] = []
    /// The seed of a new session's random numbers; nil for a random one.
    public var seed: UInt64?

    /// Whether the machine is being wired from stored state.
    public private(set) var isRestoring: Bool
    private var isWiring = false
    /// The wall time in nanoseconds since 1970 at which the session's clock was zero.
    public let clockOffset: Int64
    private var stored: [String: ArraySlice<UInt8>]
    private var parts: [CapturedPart] = []
    private var counts: [String: Int] = [:]
    /// What keeps the machine from being captured, in the order of registration.
    public private(set) var obstacles: [CaptureObstacle] = []
    /// The parts that had a stored state which does not fit them any more.
    public private(set) var mismatches: [String] = []

    /// Creates the registry of a new machine.
    ///
    /// - Parameter clockOffset: The wall time in nanoseconds since 1970 at which the session's clock was zero.
    public init(clockOffset: Int64) {
        isRestoring = false
        self.clockOffset = clockOffset
        stored = [:]
    }

    /// Creates the registry of a machine that is restored.
    ///
    /// - Parameters:
    ///   - stored: The state of each part by its key, as ``appendChanges(_:)`` passed it.
    ///   - clockOffset: The wall time in nanoseconds since 1970 at which the session's clock was zero.
    public init(restoring stored: [String: ArraySlice<UInt8>], clockOffset: Int64) {
        isRestoring = true
        self.clockOffset = clockOffset
        self.stored = stored
    }

    /// Returns the result of a closure that wires the machine. The registry is current meanwhile.
    public func wire<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        isWiring = true
        defer { isWiring = false }
        return try asCurrent(body)
    }

    private func asCurrent<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let outer = granary_state_registry()
        granary_set_state_registry(Unmanaged.passUnretained(self).toOpaque())
        defer {
            granary_set_state_registry(outer)
            withExtendedLifetime(self) {}
        }
        return try body()
    }

    /// Adds a part, and gives it its stored state if the machine is restored.
    public func register<Part: StatefulPart>(_ part: Part) {
        // While states are encoded, the registry is current for the sake of its clock only.
        guard isWiring else { return }
        let name = "\(Part.partName)"
        if isTransient(name) { return }
        let key = nextKey(name)
        var reading = CodecReading()
        guard let codec = KnownCodecs.codec(of: Part.PartState.self, &reading, at: name) else {
            // Named by the whole state, whose fields mean nothing to the author of a machine.
            obstacles.append(CaptureObstacle(part: name, type: String(reflecting: Part.PartState.self)))
            return
        }
        let captured = ObjectPart(key: key, part, codec)
        parts.append(captured)
        guard let json = stored.removeValue(forKey: key) else { return }
        do {
            try captured.restore(json)
        } catch {
            // The graph of another build. The operator starts anew.
            mismatches.append(key)
        }
    }

    /// Returns whether an operator is not captured, and records that its name exists.
    private func isTransient(_ name: String) -> Bool {
        guard transient.contains(name) else { return false }
        foundTransient.insert(name)
        return true
    }

    /// The random numbers of the session. The first use registers them, so it must be during the wiring.
    public private(set) lazy var random: SessionRandom = {
        let random = SessionRandom(seed: seed ?? .random(in: .min ... .max))
        register(random)
        return random
    }()

    /// Records work that was in progress when the machine was captured.
    public func addInterruptedWork(_ work: [InterruptedWork]) {
        interruptedWork += work
    }

    /// Returns the key of the next part with a name.
    func nextKey(_ name: String) -> String {
        let number = counts[name, default: 0]
        counts[name] = number + 1
        return "\(name).\(number)"
    }

    /// Captures the members of an object, and puts back their stored states if the machine is restored.
    ///
    /// - Parameters:
    ///   - object: The object. Captured are its stored properties, including private ones.
    ///   - name: A name of the object: `store`.
    ///   - scope: The properties that are captured.
    public func registerMembers(of object: AnyObject, named name: String, scope: MemberScope = .all) {
        add(MemberLayout(of: type(of: object), transient: transient, scope: scope), named: name) { body in
            try withExtendedLifetime(object) { try body(Unmanaged.passUnretained(object).toOpaque()) }
        }
    }

    /// Captures the members of a value, and puts back their stored states if the machine is restored.
    ///
    /// - Parameters:
    ///   - type: The type of the value. An enumeration or a collection is captured as a whole.
    ///   - name: A name of the value: `state`.
    ///   - scope: The properties that are captured.
    ///   - access: Calls a closure with the value. Changes of the closure are stored if the machine is restored.
    public func registerMembers<Root>(
        of type: Root.Type, named name: String, scope: MemberScope = .all,
        access: @escaping (_ body: (inout Root) throws -> Void) throws -> Void
    ) {
        add(MemberLayout(of: type, transient: transient, scope: scope), named: name) { body in
            try access { root in try withUnsafeMutablePointer(to: &root) { try body(UnsafeMutableRawPointer($0)) } }
        }
    }

    private func add(
        _ layout: MemberLayout, named name: String,
        withRoot: @escaping (_ body: (UnsafeMutableRawPointer) throws -> Void) throws -> Void
    ) {
        guard isWiring else { return }
        obstacles += layout.obstacles
        foundTransient.formUnion(layout.leftOut)
        let part = MembersPart(name: nextKey(name), layout: layout, withRoot: withRoot)
        parts.append(part)
        guard isRestoring else { return }
        do {
            mismatches += try part.restore(&stored)
        } catch {
            mismatches.append(name)
        }
    }

    /// Ends the wiring of a restored machine: starts what the restored states require.
    ///
    /// - Returns: The keys of stored states that belong to no part of this build.
    public func resume() -> [String] {
        isRestoring = false
        asCurrent { for part in parts { part.resume() } }
        defer { stored = [:] }
        return stored.keys.sorted()
    }

    /// Appends the states that have changed since the last call, in the form that ``StateChanges`` reads. Releases
    /// parts that nothing uses any more.
    ///
    /// - Parameters:
    ///   - bytes: The buffer.
    ///   - all: Whether states that have not changed are appended as well.
    /// - Returns: The number of appended states.
    /// - Throws: The error of a value that cannot be encoded.
    public func appendChanges(to bytes: inout [UInt8], all: Bool = false) throws -> Int {
        var count = 0
        var hasUnused = false
        try asCurrent {
            for part in parts {
                count += try part.appendChanges(to: &bytes, all: all)
                if part.isUnused() { hasUnused = true }
            }
        }
        if hasUnused { parts.removeAll { $0.isUnused() } }
        return count
    }
}
