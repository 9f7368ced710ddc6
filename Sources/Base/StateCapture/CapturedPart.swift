/// One registered part of a machine, and its state as it was last captured. Confined to the session's loop.
class CapturedPart {
    /// The key, or the beginning of the keys.
    var key: PartKey { preconditionFailure("\(Self.self) must override key") }

    /// Returns whether the part is in use and its bytes show that it has the state that was last captured.
    func hasNoChange() -> Bool { false }

    /// Whether the bytes on which the state depends are known.
    var isWatched: Bool { false }

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

    /// Puts the stored state of a part with one key back.
    func restore(_ json: ArraySlice<UInt8>) throws {
        preconditionFailure("\(Self.self) must override restore(_:)")
    }

    /// Puts the restored state back where the wiring has changed it.
    func restoreAgain() {}

    /// Starts what the restored state requires.
    func resume() {}
}

/// A part with one state under one key, which is that of an object.
class KeyedPart<Object: AnyObject, Key: PartKey>: CapturedPart {
    fileprivate final let ownKey: Key
    override final var key: PartKey { ownKey }
    // Strong: a weak reference would move the reference counts of an operator, which are on the path of every event, to
    // a side table. The registry drops a part that nothing else uses.
    @exclusivity(unchecked) fileprivate final var object: Object
    /// The JSON of the last state.
    // Unchecked exclusivity here and below: used on the session's loop, and what a capture calls does not come back here.
    @exclusivity(unchecked) final var text = StateText()
    /// The bytes on which the state depends, or the last state if the part does not name them.
    @exclusivity(unchecked) fileprivate final var watch = StateWatch()
    /// How far the part is.
    fileprivate final var stage = Stage.new

    fileprivate enum Stage {
        case new
        /// Until the machine is wired, ``watch`` has the state that was restored.
        case restored
        /// The watch belongs to the first capture and those after it.
        case captured
    }

    fileprivate init(_ key: Key, _ object: Object) {
        ownKey = key
        self.object = object
    }

    // Measured in programs for x86-64: 64 to 96 bytes for the part, the rest for the operator. The state itself is estimated by its
    // JSON.
    override var byteCount: Int { 240 + 2 * text.byteCount }

    override final var isWatched: Bool { watch.hasLayout }

    /// Watches the properties that a part or a holder of a type names, from the first capture on.
    @inline(__always)
    final func watchOnce(_ comparesBytes: @autoclosure () -> Bool, _ add: (inout WatchedPlaces) -> Void) {
        if stage == .captured { return }
        stage = .captured
        guard comparesBytes() else { return }
        var places = WatchedPlaces(of: address)
        add(&places)
        let layout = places.layout(of: Object.self)
        if layout > 0 { watch = StateWatch(layout: layout) }
    }

    // Not a reference, which would keep the object in use.
    @inline(__always)
    private final var address: UnsafeRawPointer { WatchedPlaces.address(of: object) }

    /// Whether the bytes of the object show that it has the state that was last captured.
    @inline(__always)
    fileprivate final var isUnchanged: Bool { watch.isUnchanged(in: address) }

    /// Returns the result of a closure that captures the state of the object, and keeps the bytes on which it depends.
    @inline(__always)
    final func capture(_ body: () throws -> Int) throws -> Int {
        // Before the state is read: a change in between is then captured again, rather than missed.
        watch.keep(address)
        do {
            return try body()
        } catch {
            watch.forget()
            throw error
        }
    }

    /// Appends the last state if the bytes show that it is still the state. Returns whether it was appended.
    final func appendLast(to bytes: inout [UInt8]) -> Bool {
        guard text.isKnown, hasNoChange() else { return false }
        text.append(ownKey, to: &bytes)
        return true
    }

    /// Appends the state from the object's properties. Call only if the watch has fields.
    final func appendFields(to json: inout [UInt8]) { watch.appendFields(of: address, to: &json) }
}

/// A part that is an object, such as an operator's subscription. Its last state, if it must be kept, is in the place of the watch.
class ObjectPart<Object: StatefulPart>: KeyedPart<Object, CodedKey<Object.PartState>> {
    /// Creates a part.
    static func make(_ key: CodedKey<Object.PartState>, _ object: Object) -> ObjectPart {
        StateWatch.fits(Object.PartState.self) ? ObjectPart(key, object) : LargeObjectPart(key, object)
    }

    /// The state that was restored; nil after the wiring.
    fileprivate var restored: Object.PartState? { stage == .restored ? watch.state(Object.PartState.self) : nil }

    /// Keeps a stored state. Returns it; nil if the part had ended.
    fileprivate func keepRestored(_ json: ArraySlice<UInt8>) throws -> Object.PartState? {
        guard let state = try text.restore(json, ownKey, ownKey.codec) else { return nil }
        watch.keep(state: state)
        stage = .restored
        return state
    }

    /// Releases the restored state, which is in use now.
    fileprivate func forgetRestored() {
        guard stage == .restored else { return }
        stage = .new
        if !ownKey.codec.comparesBytes { watch.forget() }
    }

    /// Releases the last state, whose JSON is not the last one any more.
    fileprivate func forgetLast() {
        if !watch.hasLayout { watch.forget() }
    }

    /// Appends a state if it differs from the last one. Returns the number of changes.
    fileprivate func appendIfChanged(_ state: Object.PartState, to bytes: inout [UInt8]) throws -> Int {
        if isLast(state) { return 0 }
        let hasChanged = try text.appendIfChanged(state, ownKey, to: &bytes, ownKey.codec)
        if ownKey.codec.comparesBytes { watch.keep(state: state) }
        return hasChanged ? 1 : 0
    }

    /// Appends a state, or nil for the end of the part, whether it has changed or not.
    fileprivate func append(_ state: Object.PartState?, to bytes: inout [UInt8]) throws {
        guard let state else { return StateText.appendEndMark(ownKey, to: &bytes) }
        if text.isKnown, isLast(state) { return text.append(ownKey, to: &bytes) }
        try StateText.append(state, ownKey, to: &bytes, ownKey.codec)
    }

    private func isLast(_ state: Object.PartState) -> Bool {
        guard ownKey.codec.comparesBytes, let last = watch.state(Object.PartState.self) else { return false }
        return StateComparison.hasSameBytes(last, state)
    }

    override final func restore(_ json: ArraySlice<UInt8>) throws {
        object.restore(try keepRestored(json))
    }

    override final func restoreAgain() {
        if let state = restored { object.restore(state) }
    }

    override final var hasUncapturedWork: Bool { object.hasUncapturedWork }

    override final func isUnused() -> Bool { isKnownUniquelyReferenced(&object) && object.isAbandoned() }

    override final func hasNoChange() -> Bool { isUnchanged && !isUnused() }

    override final func appendChanges(to bytes: inout [UInt8]) throws -> Int {
        watchOnce(ownKey.codec.comparesBytes) { object.watch(&$0) }
        return try capture {
            // A part that nothing uses any more never delivers anything again, so it has ended.
            if isUnused() { return appendEnd(to: &bytes) }
            if watch.hasFields(), let count = appendFieldsIfChanged(to: &bytes) { return count }
            guard let state = object.partState else { return appendEnd(to: &bytes) }
            return try appendIfChanged(state, to: &bytes)
        }
    }

    /// Appends the state that fields describe if it differs from the last one. Returns the number of changes; nil if the state must
    /// be made.
    private final func appendFieldsIfChanged(to bytes: inout [UInt8]) -> Int? {
        var isRead: Bool?
        let hasChanged = text.appendIfChanged(ownKey, to: &bytes) { json in
            isRead = object.readState { appendFields(to: &json) }
            return isRead == true
        }
        guard let isRead else { return nil }
        guard isRead else { return appendEnd(to: &bytes) }
        // The watch retains the last values of the fields.
        forgetLast()
        return hasChanged ? 1 : 0
    }

    private final func appendEnd(to bytes: inout [UInt8]) -> Int {
        forgetLast()
        return text.appendEnd(ownKey, to: &bytes)
    }

    override final func appendAll(to bytes: inout [UInt8]) throws -> Int {
        if appendLast(to: &bytes) { return 1 }
        try append(isUnused() ? nil : object.partState, to: &bytes)
        return 1
    }

    override final func resume() {
        forgetRestored()
        if !text.hasEnded { object.resume() }
    }
}

/// A part that is an object with a state of many bytes, or with references.
private final class LargeObjectPart<Object: StatefulPart>: ObjectPart<Object> {
    private var cell = StateCell<Object.PartState>()
    /// Whether the cell may have a last state. Known without the type of the state.
    private var mayHaveLast = false

    override var restored: Object.PartState? { cell.restored }

    override func keepRestored(_ json: ArraySlice<UInt8>) throws -> Object.PartState? {
        mayHaveLast = true
        return try cell.restore(json, ownKey, &text, ownKey.codec)
    }

    override func forgetRestored() { cell.forgetRestored(ownKey.codec) }

    override func forgetLast() {
        guard mayHaveLast else { return }
        mayHaveLast = false
        cell.forgetLast()
    }

    override func appendIfChanged(_ state: Object.PartState, to bytes: inout [UInt8]) throws -> Int {
        mayHaveLast = true
        return try cell.appendIfChanged(state, ownKey, to: &bytes, &text, ownKey.codec)
    }

    override func append(_ state: Object.PartState?, to bytes: inout [UInt8]) throws {
        try cell.append(state, ownKey, to: &bytes, text, ownKey.codec)
    }
}

/// A part that is an object with a value, such as the subject inside a `multicast`.
final class HolderPart<Holder: StateHolder & AnyObject>: KeyedPart<Holder, PartKey> {
    private let codec: StateCodec<Holder.HeldState>
    private var cell = StateCell<Holder.HeldState>()
    /// The state before a stored one was put back, and the stored one, until the machine is wired.
    private var original: (state: Holder.HeldState, stored: ArraySlice<UInt8>)?
    private let hasRegisteredItself: Bool

    /// - Throws: What keeps the object from being captured.
    init(_ key: PartKey, _ holder: Holder, named name: String, isCreated: Bool) throws(CaptureObstacle) {
        guard Holder.obstacleType == nil, let codec = KnownCodecs.codec(of: Holder.HeldState.self) else {
            let type = Holder.obstacleType ?? Holder.HeldState.self
            throw CaptureObstacle(part: name, type: String(reflecting: type))
        }
        self.codec = codec
        hasRegisteredItself = isCreated
        super.init(key, holder)
    }

    override func restore(_ json: ArraySlice<UInt8>) throws {
        original = (object.heldState, json)
        if let state = try cell.restore(json, ownKey, &text, codec) { object.restoreHeld(state) }
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
        cell.forgetRestored(codec)
    }

    override var holder: ObjectIdentifier? { ObjectIdentifier(object) }

    override var isCreated: Bool { hasRegisteredItself }

    override func isUnused() -> Bool { isKnownUniquelyReferenced(&object) }

    override func hasNoChange() -> Bool { isUnchanged && !isUnused() }

    override func appendChanges(to bytes: inout [UInt8]) throws -> Int {
        watchOnce(codec.comparesBytes) { object.watchHeld(&$0) }
        return try capture {
            guard isUnused() else {
                return try cell.appendIfChanged(object.heldState, ownKey, to: &bytes, &text, codec)
            }
            cell.forgetLast()
            return text.appendEnd(ownKey, to: &bytes)
        }
    }

    override func appendAll(to bytes: inout [UInt8]) throws -> Int {
        if appendLast(to: &bytes) { return 1 }
        try cell.append(isUnused() ? nil : object.heldState, ownKey, to: &bytes, text, codec)
        return 1
    }
}
