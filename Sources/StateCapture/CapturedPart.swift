import CStateSlot

/// One registered part of a machine, and its state as it was last captured. Confined to the session's loop.
class CapturedPart {
    /// The key, or the beginning of the keys.
    final let key: String
    /// The bytes on which the state depends; nil before the first capture, and if the part does not name them.
    final private(set) var watch: StateWatch?
    private var hasWatch = false
    // Not the watch itself, which would be retained and released for each part in each turn.
    @exclusivity(unchecked) private var look: UnsafeMutablePointer<granary_watch>?

    init(key: String) {
        self.key = key
    }

    /// Watches the bytes on which the state depends, from the first capture on.
    @inline(__always)
    final func watchOnce(_ make: () -> StateWatch?) {
        if hasWatch { return }
        hasWatch = true
        watch = make()
        look = watch?.look
    }

    /// Returns whether the part is in use and its bytes show that it has the state that was last captured.
    @inline(__always)
    final func hasNoChange() -> Bool {
        guard let look, granary_is_unchanged(look) else { return false }
        return !isUnused()
    }

    /// The object that a ``HolderPart`` captures.
    var holder: ObjectIdentifier? { nil }

    /// Whether the part waits for work that is not captured.
    var hasUncapturedWork: Bool { false }

    /// Whether nothing but the registry uses the part any more.
    func isUnused() -> Bool { false }

    /// Appends the states that have changed since the last call, by the names under which they are stored. Returns
    /// their number.
    func appendChanges(to bytes: inout [UInt8]) throws -> Int {
        preconditionFailure("\(Self.self) must override appendChanges(to:)")
    }

    /// Appends all states by the names under which they are stored, whether they have changed or not. Returns their number.
    func appendAll(to bytes: inout [UInt8]) throws -> Int {
        preconditionFailure("\(Self.self) must override appendAll(to:)")
    }

    /// Puts the restored state back where the wiring has changed it.
    func restoreAgain() {}

    /// Starts what the restored state requires.
    func resume() {}
}

/// A part with one state under one key.
class KeyedPart: CapturedPart {
    /// Returns the result of a closure that captures the state, and keeps the bytes on which it depends.
    @inline(__always)
    final func capture(_ body: () throws -> Int) throws -> Int {
        // Before the state is read: a change in between is then captured again, rather than missed.
        watch?.keep()
        do {
            return try body()
        } catch {
            watch?.forget()
            throw error
        }
    }

    /// Puts the stored state back.
    func restore(_ json: ArraySlice<UInt8>) throws {
        preconditionFailure("\(Self.self) must override restore(_:)")
    }
}

/// A part that is an object, such as an operator's subscription.
final class ObjectPart<Object: StatefulPart>: KeyedPart {
    // Strong: a weak reference would move the reference counts of an operator, which are on the path of every event, to
    // a side table. The registry drops a part that nothing else uses.
    private var object: Object
    private var cell: StateCell<Object.PartState>

    init(key: String, _ object: Object, _ codec: StateCodec<Object.PartState>) {
        self.object = object
        cell = StateCell(key: key, codec)
        super.init(key: key)
    }

    override func restore(_ json: ArraySlice<UInt8>) throws {
        object.restore(try cell.restore(json))
    }

    override func restoreAgain() {
        if let state = cell.restored { object.restore(state) }
    }

    override var hasUncapturedWork: Bool { object.hasUncapturedWork }

    override func isUnused() -> Bool { isKnownUniquelyReferenced(&object) && object.isAbandoned() }

    override func appendChanges(to bytes: inout [UInt8]) throws -> Int {
        watchOnce { cell.comparesBytes ? StateWatch(of: object) : nil }
        // A part that nothing uses any more never delivers anything again, so it has ended.
        return try capture {
            let isUnused = isUnused()
            if !isUnused, let fields = watch?.direct,
                let count = try cell.appendIfChanged(fields, to: &bytes, object.readState)
            {
                return count
            }
            return try cell.appendIfChanged(isUnused ? nil : object.partState, to: &bytes)
        }
    }

    override func appendAll(to bytes: inout [UInt8]) throws -> Int {
        try cell.append(isUnused() ? nil : object.partState, to: &bytes)
    }

    override func resume() {
        cell.forgetRestored()
        if !cell.hasEnded { object.resume() }
    }
}

/// A part that is an object with a value, such as the subject inside a `multicast`.
final class HolderPart<Holder: StateHolder & AnyObject>: KeyedPart {
    private var object: Holder
    private var cell: StateCell<Holder.HeldState>

    init(key: String, _ holder: Holder, _ codec: StateCodec<Holder.HeldState>) {
        object = holder
        cell = StateCell(key: key, codec)
        super.init(key: key)
    }

    override func restore(_ json: ArraySlice<UInt8>) throws {
        if let state = try cell.restore(json) { object.restoreHeld(state) }
    }

    override func restoreAgain() {
        if let state = cell.restored { object.restoreHeld(state) }
    }

    override func resume() {
        cell.forgetRestored()
    }

    override var holder: ObjectIdentifier? { ObjectIdentifier(object) }

    override func isUnused() -> Bool { isKnownUniquelyReferenced(&object) }

    override func appendChanges(to bytes: inout [UInt8]) throws -> Int {
        watchOnce { cell.comparesBytes ? StateWatch(of: object) : nil }
        return try capture { try cell.appendIfChanged(isUnused() ? nil : object.heldState, to: &bytes) }
    }

    override func appendAll(to bytes: inout [UInt8]) throws -> Int {
        try cell.append(isUnused() ? nil : object.heldState, to: &bytes)
    }
}
