public import CStateSlot

/// The parts of one machine whose state survives the process: the operators that are subscribed while the machine is
/// wired, and its members. Confined to the session's loop.
///
/// A machine is *wired* when its factory runs: it connects its inputs, its store and its outputs. A registry is current
/// on its thread during that time. A machine that is restored is wired by the same code, with these differences:
/// - A part that registers receives its stored state. It receives it again in ``resume()``, so that what the factory writes
///   in between is not kept.
/// - Sources that would send a value to a new subscriber do not (``isRestoring``), because that value was sent when the
///   machine was first wired. Subjects send nothing to subscribers that attach meanwhile.
/// - Subscribers outside of the machine's graph (`sink`, `assign`) ignore what they receive.
/// - Timers start after the wiring, by ``StatefulPart/resume()``.
public final class StateRegistry {
    /// The registry of the machine that the calling thread is wiring.
    @inlinable public static var current: StateRegistry? {
        // The slot holds the registry without retaining it: `wire(_:)` keeps it alive while it is set.
        guard let pointer = granary_state_registry() else { return nil }
        return Unmanaged<StateRegistry>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Whether the calling thread is wiring a machine.
    @inlinable public static var isWiring: Bool { granary_state_registry() != nil }

    /// The registry of the machine that the calling thread is wiring from its stored state.
    @inlinable public static var restoring: StateRegistry? {
        guard let registry = current, registry.isRestoring else { return nil }
        return registry
    }

    /// Whether the calling thread is wiring a machine from its stored state.
    @inlinable public static var isRestoring: Bool { restoring != nil }

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
    /// The wall time in nanoseconds since 1970 at which the session's clock was zero.
    public let clockOffset: Int64
    private var stored: [String: ArraySlice<UInt8>]
    // Unchecked exclusivity: confined to the session's loop, and no access lasts across a call to a part.
    @exclusivity(unchecked) private var parts: [CapturedPart] = []
    /// The prefix of the keys of new parts; that of a ``StateScope`` while it is current.
    private var prefix = ""
    /// The number of keys with each name.
    private var counts: [String: Int] = [:]
    /// The prefixes of the scopes that may have parts.
    private var usedScopes: Set<String> = []
    /// The keys of parts that were replaced by others, which may have other keys.
    private var replacedKeys: Set<String> = []
    /// Whether an operator is not captured, so that a timer on its behalf is not captured either.
    public private(set) var hasTransientOperators = false
    private var postponed: [(order: Int, action: () -> Void)] = []
    /// The number of closures that the registry is running for the wiring, one inside another.
    private var wiringDepth = 0
    /// The thread of the session's loop.
    private var thread = granary_thread()
    /// What keeps the machine from being captured, in the order of registration.
    public var obstacles: [CaptureObstacle] { found.map(\.obstacle) }
    private var found: [(obstacle: CaptureObstacle, holder: ObjectIdentifier?)] = []
    /// The keys of parts that have ended, and that the registry has released.
    private var endedKeys: Set<String> = []
    /// The parts that had a stored state which does not fit them any more.
    public private(set) var mismatches: [String] = []
    /// The members in ``mismatches``. Unlike an operator, a member that does not fit is not dropped: the machine must not run.
    public private(set) var damagedMembers: [String] = []
    /// The name of each captured member's type, by the member's key.
    public private(set) var memberTypes: [String: String] = [:]

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
    /// An operator finds its state by its name, its type and its place among the operators with these. A state that no
    /// operator finds is dropped, and its key is a result of ``resume()``.
    ///
    /// - Parameters:
    ///   - stored: The state of each part by its key, as ``StateChanges`` returned it.
    ///   - clockOffset: The wall time in nanoseconds since 1970 at which the session's clock was zero.
    public init(restoring stored: [String: ArraySlice<UInt8>], clockOffset: Int64) {
        isRestoring = true
        self.clockOffset = clockOffset
        self.stored = stored
    }

    /// Returns the result of a closure that wires the machine. The registry is current meanwhile.
    public func wire<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        defer { if !isRestoring { runPostponed() } }
        return try asCurrent(body)
    }

    private func asCurrent<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let outer = granary_state_registry()
        granary_set_state_registry(Unmanaged.passUnretained(self).toOpaque())
        wiringDepth += 1
        defer {
            wiringDepth -= 1
            granary_set_state_registry(outer)
            withExtendedLifetime(self) {}
        }
        return try withClock(body)
    }

    /// Returns the result of a closure whose subscriptions belong to no machine: those that follow from a value. How many
    /// there are depends on the values, so they have no lasting keys, except in ``LiveSources``.
    public static func withoutRegistry<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = granary_state_registry()
        granary_set_state_registry(nil)
        defer { granary_set_state_registry(outer) }
        return try body()
    }

    /// Returns the result of a closure that converts between times on the session's clock and wall time.
    private func withClock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let outer = granary_clock_offset()
        granary_set_clock_offset(clockOffset)
        defer { granary_set_clock_offset(outer) }
        return try body()
    }

    /// Runs an action when the machine is wired; if it is restored, at the beginning of ``resume()``.
    ///
    /// - Parameters:
    ///   - order: The place of the action: it runs after those with a lower number.
    ///   - action: The action.
    public func afterWiring(order: Int = .max, _ action: @escaping () -> Void) {
        postponed.append((order, action))
    }

    private func runPostponed() {
        let actions = postponed
        postponed = []
        // The sort of the standard library is stable.
        for (_, action) in actions.sorted(by: { $0.order < $1.order }) { action() }
    }

    /// Returns a scope for the parts that an operator adds when it subscribes to another publisher later.
    public func makeScope(named name: String) -> StateScope {
        StateScope(self, prefix: nextKey(name) + "/")
    }

    /// Returns the sources that an operator makes from the values that it receives. Returns nil if the operator is not
    /// captured: ``transient`` contains its name, or its source is inside of too many others.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - result: The type of the values of the sources.
    ///   - name: The name of the operator.
    public func makeSources<Element, Result>(
        of type: Element.Type, emitting result: Result.Type, named name: String
    ) -> LiveSources<Element>? {
        // A stream that subscribes to itself would have keys without end.
        guard prefix.utf8.count < StateRegistry.longestPrefix, !isTransient(name) else { return nil }
        let mark = TypeMark.of(LiveSource<(Element, Result)>.self, [Element.self, Result.self])
        return LiveSources(self, prefix: nextKey("\(name)Sources" + mark) + "/")
    }

    /// The length of a prefix in bytes at which the sources of operators are not captured any more.
    private static let longestPrefix = 512

    /// Whether the calling thread is that of the session's loop.
    var isOnItsThread: Bool { granary_thread() == thread }

    /// Removes the parts of a scope, whose keys are about to be used again.
    func beginScope(_ scope: String) {
        guard isOnItsThread, usedScopes.contains(scope) else { return }
        replacedKeys.formUnion(parts.lazy.map(\.key).filter { $0.hasPrefix(scope) })
        parts.removeAll { $0.key.hasPrefix(scope) }
        for name in counts.keys where name.hasPrefix(scope) { counts[name] = nil }
        // The scopes inside of it are made anew.
        usedScopes = usedScopes.filter { !$0.hasPrefix(scope) }
    }

    /// Returns the result of a closure whose parts belong to a scope.
    func wire<Result, Failure: Error>(
        inScope scope: String, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        usedScopes.insert(scope)
        let outer = prefix
        prefix = scope
        defer {
            prefix = outer
            // After the wiring, nothing else runs what the subscriptions of the scope have postponed.
            if wiringDepth == 0, !isRestoring { runPostponed() }
        }
        return try asCurrent(body)
    }

    /// Adds a part, and gives it its stored state if the machine is restored.
    ///
    /// - Parameters:
    ///   - part: The part.
    ///   - name: The name under which the state is stored.
    ///   - types: The types of the values in the state; see ``StatefulPart/valueTypes``.
    public func register<Part: StatefulPart>(
        _ part: Part, named name: String = Part.keyName, holding types: [any Any.Type] = Part.valueTypes
    ) {
        if isTransient(name) { return }
        // Not `types`: the mark of a type is kept, and operators that share one implementation name others.
        let key = nextKey(name + TypeMark.of(Part.self, [Part.PartState.self] + Part.valueTypes))
        if let type = types.first(where: { !StateTypes.isCapturable($0) }) {
            return addObstacle(CaptureObstacle(part: name, type: String(reflecting: type)))
        }
        guard let codec = StateCodec<Part.PartState>() else {
            return addObstacle(CaptureObstacle(part: name, type: String(reflecting: Part.PartState.self)))
        }
        add(ObjectPart(key: key, part, codec), key)
    }

    /// Adds what keeps the machine from being captured, unless the operator is ``transient``.
    public func addObstacle(_ obstacle: CaptureObstacle) {
        if !isTransient(obstacle.part) { found.append((obstacle, nil)) }
    }

    /// Adds an object that holds a state, unless ``registerMembers(of:named:transient:)`` finds it as a member later, and gives it its stored state if the machine is restored.
    ///
    /// - Parameters:
    ///   - holder: The object.
    ///   - name: A name of the object: `multicast`.
    public func register<Holder: StateHolder & AnyObject>(holder: Holder, named name: String) {
        if isTransient(name) { return }
        let key = nextKey(name + TypeMark.of(Holder.self, [Holder.HeldState.self] + Holder.heldTypes))
        guard Holder.obstacleType == nil, let codec = StateCodec<Holder.HeldState>() else {
            let type = Holder.obstacleType ?? Holder.HeldState.self
            found.append((CaptureObstacle(part: name, type: String(reflecting: type)), ObjectIdentifier(holder)))
            return
        }
        add(HolderPart(key: key, holder, codec), key)
    }

    /// The keys of the parts whose states are read only after their properties have changed.
    package var watchedKeys: [String] { parts.filter { $0.watch != nil }.map(\.key) }

    /// Returns whether values of a type can be captured.
    public static func canCapture(_ type: any Any.Type) -> Bool { StateTypes.isCapturable(type) }

    /// Appends the end of the parts that were replaced.
    private func appendEnds(to bytes: inout [UInt8]) -> Int {
        replacedKeys.subtract(parts.map(\.key))
        endedKeys.formUnion(replacedKeys)
        for key in replacedKeys.sorted() {
            _ = StateChanges.appendIfChanged(key, to: &bytes) { json in
                json.append(contentsOf: "null".utf8)
                return true
            }
        }
        defer { replacedKeys = [] }
        return replacedKeys.count
    }

    private func add(_ part: KeyedPart, _ key: String) {
        parts.append(part)
        if !endedKeys.isEmpty { endedKeys.remove(key) }
        guard let json = stored.removeValue(forKey: key) else { return }
        do {
            try part.restore(json)
        } catch {
            // The graph of another build. The operator starts anew.
            mismatches.append(key)
        }
    }

    /// Returns whether an operator is not captured, and records that its name exists.
    private func isTransient(_ name: String) -> Bool {
        guard transient.contains(name) else { return false }
        foundTransient.insert(name)
        hasTransientOperators = true
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

    /// The key of a part that waits for work that is not captured; nil if there is none.
    public var uncapturedWork: String? {
        parts.first(where: \.hasUncapturedWork)?.key
    }

    /// Returns the key of the next part with a name.
    func nextKey(_ name: String) -> String {
        let name = prefix + name
        let number = counts[name, default: 0]
        counts[name] = number + 1
        return "\(name).\(number)"
    }

    /// Adds the members of a root, and gives them their stored states if the machine is restored.
    func add(_ layout: MemberLayout, of root: MembersPart.Root, named name: String) {
        found += layout.obstacles.map { ($0, nil) }
        foundTransient.formUnion(layout.leftOut)
        let part = MembersPart(name: nextKey(name), layout: layout, root: root)
        // Before they became members, objects with a state of their own may have registered by themselves.
        let holders = part.holders()
        parts.removeAll { $0.holder.map(holders.contains) ?? false }
        found.removeAll { $0.holder.map(holders.contains) ?? false }
        parts.append(part)
        for member in layout.members { memberTypes["\(part.key).\(member.path)"] = member.typeName }
        guard isRestoring else { return }
        let damaged = part.restore(&stored)
        mismatches += damaged
        damagedMembers += damaged
    }

    /// Ends the wiring of a restored machine: puts the stored states back again where the factory has changed them, and
    /// starts what they require.
    ///
    /// - Returns: The keys of stored states that belong to no part of this build.
    public func resume() -> [String] {
        isRestoring = false
        // Parts of an operator that has ended are not wired again. Later ones begin anew.
        let (ended, stale) = (stored.filter(\.value.isEnd).keys, stored.filter { !$0.value.isEnd }.keys.sorted())
        endedKeys = Set(ended)
        stored = [:]
        withClock {
            runPostponed()
            for part in parts { part.restoreAgain() }
            for part in parts { part.resume() }
        }
        return stale
    }

    /// Appends the states that have changed since the last call, in the form that ``StateChanges`` reads. Releases
    /// parts that nothing uses any more. A call that finds no change allocates nothing.
    ///
    /// - Returns: The number of changed states.
    /// - Throws: The first error of a value that cannot be encoded. The other changes have been appended.
    public func appendChanges(to bytes: inout [UInt8]) throws -> Int {
        var count = 0
        var failure: (any Error)?
        // Compared first, because another thread may read it. It changes only if a session moves to another loop.
        if !isOnItsThread { thread = granary_thread() }
        if !replacedKeys.isEmpty { count += appendEnds(to: &bytes) }
        withClock {
            // Upstream parts register last and retain those downstream, so that a stream is released in one call.
            for index in parts.indices.reversed() {
                // Without a retain and a release of each part in each turn.
                if Unmanaged.passUnretained(parts[index])._withUnsafeGuaranteedRef({ $0.hasNoChange() }) { continue }
                let part = parts[index]
                do {
                    count += try part.appendChanges(to: &bytes)
                } catch {
                    failure = failure ?? error
                }
                if part.isUnused() { endedKeys.insert(parts.remove(at: index).key) }
            }
        }
        if let failure { throw failure }
        return count
    }

    /// Appends the states of all parts, and which of them have ended, in the form that ``StateChanges`` reads: what all
    /// calls of ``appendChanges(to:)`` would have written together, with the last state of each key. A later
    /// ``appendChanges(to:)`` is not affected.
    ///
    /// - Returns: The number of states.
    /// - Throws: The first error of a value that cannot be encoded. Nothing has been appended then.
    public func appendAll(to bytes: inout [UInt8]) throws -> Int {
        let start = bytes.count
        do {
            return try withClock {
                let ended = endedKeys.union(replacedKeys.subtracting(parts.map(\.key))).sorted()
                for key in ended { StateChanges.append(key, to: &bytes) { $0.append(contentsOf: "null".utf8) } }
                var count = ended.count
                for part in parts { count += try part.appendAll(to: &bytes) }
                return count
            }
        } catch {
            bytes.removeLast(bytes.count - start)
            throw error
        }
    }
}

extension ArraySlice<UInt8> {
    /// Whether the JSON is the mark of a part that has ended.
    fileprivate var isEnd: Bool { elementsEqual("null".utf8) }
}
