public import CRuntime

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
    /// What only the wiring uses, and what it has found; nil after a wiring that has found nothing, as most.
    var wiring: WiringNotes?
    /// The names in ``transient`` that exist.
    public var foundTransient: Set<String> { wiring?.foundTransient ?? [] }
    /// The work that was in progress when the machine was captured, and that does not continue by itself.
    public var interruptedWork: [InterruptedWork] { wiring?.interruptedWork ?? [] }
    /// The seed of a new session's random numbers; nil for a random one.
    public var seed: UInt64? {
        get { wiring?.seed }
        set { if newValue != seed { notes.seed = newValue } }
    }

    /// The stored time in nanoseconds since 1970 at which the session's clock was zero.
    public let clockOffset: Int64
    /// The clock of stored times, which knows the lead of the wall clock; nil where both are the same.
    public var clock: StoredClock?
    // Unchecked exclusivity: confined to the session's loop, and no access lasts across a call to a part.
    @exclusivity(unchecked) var parts: [CapturedPart] = []
    var keys = PartKeys()
    // Small properties together, so that the registry takes no more than 168 bytes.
    /// Whether the machine is being wired from stored state.
    public private(set) var isRestoring: Bool
    /// Whether objects have registered themselves when they were created.
    var hasCreatedParts = false
    /// Whether ``parts`` may have one that waits for work that is not captured.
    var mayHaveUncapturedWork = false
    /// Whether ``parts`` has provisional ones.
    var hasProvisionalParts = false
    /// Whether an operator is not captured, so that a timer on its behalf is not captured either.
    public internal(set) var hasTransientOperators = false
    /// The number of closures that the registry is running for the wiring, one inside another.
    var wiringDepth: UInt16 = 0
    /// The keys of parts that were replaced by others, which may have other keys.
    var replacedKeys: Set<String> = []
    /// The actions that wait for the end of the wiring.
    var postponed: [(order: Int, action: () -> Void)] = []
    /// Returns whether the caller is on the session's loop.
    private let isOnLoop: () -> Bool
    /// The properties and operators that keep the machine from being captured, in the order of registration.
    public var obstacles: [CaptureObstacle] { wiring?.found.map(\.obstacle) ?? [] }
    /// The keys of parts that have ended, and that the registry has released.
    var endedKeys: Set<String> = []
    /// The parts that had a stored state which does not fit them any more.
    public var mismatches: [String] { wiring?.mismatches ?? [] }
    /// The members in ``mismatches``. Unlike an operator, a member that does not fit is not dropped: the machine must not run.
    public var damagedMembers: [String] { wiring?.damagedMembers ?? [] }
    /// The name of each captured member's type, by the member's key.
    public var memberTypes: [String: String] {
        parts.reduce(into: [:]) { types, part in
            if let part = part as? MembersPart { types.merge(part.memberTypes) { $1 } }
        }
    }

    /// Creates the registry of a new machine.
    ///
    /// - Parameters:
    ///   - clockOffset: The stored time in nanoseconds since 1970 at which the session's clock was zero.
    ///   - isOnLoop: Returns whether the caller is on the session's loop, which may change its thread between turns. Subscriptions
    ///     that a machine makes elsewhere are not captured. Without it, every caller must be on the loop.
    public init(clockOffset: Int64, isOnLoop: @escaping () -> Bool = { true }) {
        isRestoring = false
        self.clockOffset = clockOffset
        self.isOnLoop = isOnLoop
    }

    /// Creates the registry of a machine that is restored.
    ///
    /// An operator finds its state by its name, its type and its place among the operators with these. A state that no
    /// operator finds is dropped, and its key is a result of ``resume()``.
    ///
    /// - Parameters:
    ///   - stored: The state of each part by its key, as ``StateChanges`` returned it.
    ///   - clockOffset: The stored time in nanoseconds since 1970 at which the session's clock was zero.
    ///   - isOnLoop: As for a new machine.
    public init(
        restoring stored: [String: ArraySlice<UInt8>], clockOffset: Int64, isOnLoop: @escaping () -> Bool = { true }
    ) {
        isRestoring = true
        self.clockOffset = clockOffset
        self.isOnLoop = isOnLoop
        notes.stored = stored
    }

    /// The notes of the wiring, created on first use.
    var notes: WiringNotes {
        if let wiring { return wiring }
        let notes = WiringNotes()
        wiring = notes
        return notes
    }

    /// An estimate of the memory that the captured parts of the machine take, in bytes.
    public private(set) var byteCount = 0
    /// The size of the changes since the estimate.
    private var bytesSinceEstimate = 0
    /// The size of changes after which the estimate is made again.
    private static let estimateInterval = 4096
    /// The estimate above which each change is followed by another one: a short change may replace a long state.
    private static let largeEstimate = 64 << 10

    /// Estimates the memory of the parts again.
    private func estimateBytes() {
        bytesSinceEstimate = 0
        byteCount = parts.reduce(0) { $0 + $1.byteCount }
    }

    /// Ends the wiring, after which no part registers outside of scopes.
    func finishWiring() {
        keys.share()
        if wiring?.isEmpty == true { wiring = nil }
        // Exactly as long: parts were added one by one, and few are added later.
        parts = parts.map { $0 }
        estimateBytes()
    }

    /// The keys of the parts whose states are read only after their properties have changed.
    package var watchedKeys: [String] { parts.filter(\.isWatched).map(\.key.text) }

    /// Appends the end of the parts that were replaced.
    private func appendEnds(to bytes: inout [UInt8]) -> Int {
        replacedKeys.subtract(parts.map(\.key.text))
        endedKeys.formUnion(replacedKeys)
        for key in replacedKeys.sorted() {
            StateChanges.append(key, to: &bytes) { $0.append(contentsOf: "null".utf8) }
        }
        defer { replacedKeys = [] }
        return replacedKeys.count
    }

    /// The random numbers of the session. The first use registers them, so it must be during the wiring.
    public private(set) lazy var random: SessionRandom = {
        let random = SessionRandom(seed: seed ?? .random(in: .min ... .max))
        register(random)
        return random
    }()

    /// Records work that was in progress when the machine was captured.
    public func addInterruptedWork(_ work: [InterruptedWork]) {
        if !work.isEmpty { notes.interruptedWork += work }
    }

    /// The key of a part that waits for work that is not captured; nil if none exists.
    public var uncapturedWork: String? {
        // Asked after each request for a stored session, most of which have no such part.
        guard mayHaveUncapturedWork else { return nil }
        return parts.first(where: \.hasUncapturedWork)?.key.text
    }

    /// Whether the caller may add parts: it is on the session's loop, to which the registry is confined.
    var acceptsParts: Bool { isOnLoop() }

    /// Ends the wiring of a restored machine: puts the stored states back again where the factory has changed them, and
    /// starts what they require.
    ///
    /// - Returns: The keys of stored states that belong to no part of this build.
    public func resume() -> [String] {
        isRestoring = false
        // Parts of an operator that has ended are not wired again. Later ones begin anew.
        let stored = wiring?.stored ?? [:]
        let (ended, stale) = (stored.filter(\.value.isEnd).keys, stored.filter { !$0.value.isEnd }.keys.sorted())
        endedKeys = Set(ended)
        wiring?.stored = [:]
        withClock {
            runPostponed()
            for part in parts { part.restoreAgain() }
            for part in parts { part.resume() }
        }
        finishWiring()
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
        let start = bytes.count
        assert(isOnLoop(), "expected a capture on the session's loop")
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
                if part.isUnused() { endedKeys.insert(parts.remove(at: index).key.text) }
            }
        }
        bytesSinceEstimate += bytes.count - start
        let isLarge = byteCount >= StateRegistry.largeEstimate
        if bytesSinceEstimate >= (isLarge ? 1 : StateRegistry.estimateInterval) { estimateBytes() }
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
        assert(isOnLoop(), "expected a capture on the session's loop")
        let start = bytes.count
        do {
            return try withClock {
                let ended = endedKeys.union(replacedKeys.subtracting(parts.map(\.key.text))).sorted()
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

/// What only the wiring of a machine uses, and what it finds.
final class WiringNotes {
    var foundTransient: Set<String> = []
    var interruptedWork: [InterruptedWork] = []
    var seed: UInt64?
    /// The stored states that no part has found yet.
    var stored: [String: ArraySlice<UInt8>] = [:]
    var found: [(obstacle: CaptureObstacle, holder: ObjectIdentifier?)] = []
    var mismatches: [String] = []
    var damagedMembers: [String] = []

    /// Whether there is nothing to remember.
    var isEmpty: Bool {
        foundTransient.isEmpty && interruptedWork.isEmpty && seed == nil && stored.isEmpty && found.isEmpty
            && mismatches.isEmpty && damagedMembers.isEmpty
    }
}

extension ArraySlice<UInt8> {
    /// Whether the JSON is the mark of a part that has ended.
    fileprivate var isEnd: Bool { elementsEqual("null".utf8) }
}
