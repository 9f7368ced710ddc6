import CRuntime

/// One registered part of a machine, and its state as it was last captured. Confined to the session's loop.
class CapturedPart {
    /// The key, or the beginning of the keys.
    final let key: PartKey
    /// The bytes on which the state depends; nil before the first capture, and if the part does not name them.
    final private(set) var watch: StateWatch?
    private var hasWatch = false
    // Not the watch itself, which would be retained and released for each part in each turn.
    @exclusivity(unchecked) private var look: UnsafeMutablePointer<granary_watch>?

    init(key: PartKey) {
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

    /// An estimate of the memory that the part takes with the operator that it captures, in bytes.
    var byteCount: Int { 0 }

    /// The object that a ``HolderPart`` captures.
    var holder: ObjectIdentifier? { nil }

    /// Whether that object has registered itself when it was created.
    var isCreated: Bool { false }

    /// Returns the part that takes the place of a ``ProvisionalPart``, or this part.
    ///
    /// - Throws: What keeps the object from being captured.
    func settled() throws(CaptureObstacle) -> CapturedPart { self }

    /// Undoes the restoration of an object that is captured otherwise, while the machine is wired.
    ///
    /// - Returns: The stored state, if there was one.
    func giveBack() -> ArraySlice<UInt8>? { nil }

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
    /// The JSON of the last state.
    // Unchecked exclusivity here and below: used on the session's loop, and what a capture calls does not come back here.
    @exclusivity(unchecked) final var text = StateText()

    // Measured in programs for x86-64. The state itself is estimated by its JSON.
    override var byteCount: Int { 480 + 2 * text.byteCount }

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

    /// Appends the last state if the bytes show that it is still the state. Returns whether it was appended.
    final func appendLast(to bytes: inout [UInt8]) -> Bool {
        guard text.isKnown, hasNoChange() else { return false }
        text.append(key, to: &bytes)
        return true
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
    @exclusivity(unchecked) private var object: Object
    private var cell: StateCell<Object.PartState>
    /// Whether the cell may have a last state. Known without the type of the state.
    private var mayHaveLast = false

    init(key: PartKey, _ object: Object, _ codec: StateCodec<Object.PartState>) {
        self.object = object
        cell = StateCell(codec)
        super.init(key: key)
    }

    override func restore(_ json: ArraySlice<UInt8>) throws {
        mayHaveLast = true
        object.restore(try cell.restore(json, &text))
    }

    override func restoreAgain() {
        if let state = cell.restored { object.restore(state) }
    }

    override var hasUncapturedWork: Bool { object.hasUncapturedWork }

    override func isUnused() -> Bool { isKnownUniquelyReferenced(&object) && object.isAbandoned() }

    override func appendChanges(to bytes: inout [UInt8]) throws -> Int {
        watchOnce { cell.comparesBytes ? StateWatch(of: object) : nil }
        return try capture {
            // A part that nothing uses any more never delivers anything again, so it has ended.
            if isUnused() { return appendEnd(to: &bytes) }
            if let fields = watch?.direct, let count = appendFields(fields, to: &bytes) { return count }
            guard let state = object.partState else { return appendEnd(to: &bytes) }
            mayHaveLast = true
            return try cell.appendIfChanged(state, key, to: &bytes, &text)
        }
    }

    /// Appends the state that fields describe if it differs from the last one. Returns the number of changes; nil if the state must
    /// be made.
    private func appendFields(_ fields: DirectFields, to bytes: inout [UInt8]) -> Int? {
        var isRead: Bool?
        let hasChanged = text.appendIfChanged(key, to: &bytes) { json in
            isRead = object.readState { fields.append(to: &json) }
            return isRead == true
        }
        guard let isRead else { return nil }
        guard isRead else { return appendEnd(to: &bytes) }
        // The fields retain their last values.
        forgetLast()
        return hasChanged ? 1 : 0
    }

    private func appendEnd(to bytes: inout [UInt8]) -> Int {
        forgetLast()
        return text.appendEnd(key, to: &bytes)
    }

    private func forgetLast() {
        guard mayHaveLast else { return }
        mayHaveLast = false
        cell.forgetLast()
    }

    override func appendAll(to bytes: inout [UInt8]) throws -> Int {
        if !appendLast(to: &bytes) { try cell.append(isUnused() ? nil : object.partState, key, to: &bytes, text) }
        return 1
    }

    override func resume() {
        cell.forgetRestored()
        if !text.hasEnded { object.resume() }
    }
}

/// A part that is an object with a value, such as the subject inside a `multicast`.
final class HolderPart<Holder: StateHolder & AnyObject>: KeyedPart {
    @exclusivity(unchecked) private var object: Holder
    private var cell: StateCell<Holder.HeldState>
    /// The state before a stored one was put back, and the stored one, until the machine is wired.
    private var original: (state: Holder.HeldState, stored: ArraySlice<UInt8>)?
    private let hasRegisteredItself: Bool

    /// - Throws: What keeps the object from being captured.
    init(key: PartKey, _ holder: Holder, named name: String, isCreated: Bool) throws(CaptureObstacle) {
        guard Holder.obstacleType == nil, let codec = KnownCodecs.codec(of: Holder.HeldState.self) else {
            let type = Holder.obstacleType ?? Holder.HeldState.self
            throw CaptureObstacle(part: name, type: String(reflecting: type))
        }
        object = holder
        cell = StateCell(codec)
        hasRegisteredItself = isCreated
        super.init(key: key)
    }

    override func restore(_ json: ArraySlice<UInt8>) throws {
        original = (object.heldState, json)
        if let state = try cell.restore(json, &text) { object.restoreHeld(state) }
    }

    override func giveBack() -> ArraySlice<UInt8>? {
        guard let original else { return nil }
        object.restoreHeld(original.state)
        return original.stored
    }

    override func restoreAgain() {
        if let state = cell.restored { object.restoreHeld(state) }
    }

    override func resume() {
        original = nil
        cell.forgetRestored()
    }

    override var holder: ObjectIdentifier? { ObjectIdentifier(object) }

    override var isCreated: Bool { hasRegisteredItself }

    override func isUnused() -> Bool { isKnownUniquelyReferenced(&object) }

    override func appendChanges(to bytes: inout [UInt8]) throws -> Int {
        watchOnce { cell.comparesBytes ? StateWatch(of: object) : nil }
        return try capture {
            guard isUnused() else { return try cell.appendIfChanged(object.heldState, key, to: &bytes, &text) }
            cell.forgetLast()
            return text.appendEnd(key, to: &bytes)
        }
    }

    override func appendAll(to bytes: inout [UInt8]) throws -> Int {
        if !appendLast(to: &bytes) { try cell.append(isUnused() ? nil : object.heldState, key, to: &bytes, text) }
        return 1
    }
}
