/// One registered part of a machine, and its state as it was last captured. Confined to the session's loop.
class CapturedPart {
    /// The key, or the beginning of the keys.
    final let key: String

    init(key: String) {
        self.key = key
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

    /// Puts the restored state back where the wiring has changed it.
    func restoreAgain() {}

    /// Starts what the restored state requires.
    func resume() {}
}

/// A part with one state under one key.
class KeyedPart: CapturedPart {
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

    override func isUnused() -> Bool { isKnownUniquelyReferenced(&object) }

    override func appendChanges(to bytes: inout [UInt8]) throws -> Int {
        // A part that nothing uses any more never delivers anything again, so it has ended.
        try cell.appendIfChanged(isUnused() ? nil : object.partState, to: &bytes)
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
        try cell.appendIfChanged(isUnused() ? nil : object.heldState, to: &bytes)
    }
}
