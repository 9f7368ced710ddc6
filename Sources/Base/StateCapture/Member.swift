/// A member of a type, at an offset from the beginning of its values. Stateless: the caller passes the addresses.
class Member {
    /// The names from the root to the member: `filter.text`.
    final let path: String
    /// The offset of the member.
    final let offset: Int
    /// The offset of its last state in a copy.
    final let place: Int
    /// The size of the member, which is not that of its state if it refers to the object with the state.
    final let size: Int
    /// Whether the member is the state itself. If not, it refers to the object with the state.
    final let isState: Bool
    /// Whether the bytes of the copy show whether the member has changed. If not, the texts are compared.
    final let comparesBytes: Bool

    init(_ path: String, _ offset: Int, _ place: Int, size: Int, isState: Bool, comparesBytes: Bool) {
        self.path = path
        self.offset = offset
        self.place = place
        self.size = size
        self.isState = isState
        self.comparesBytes = comparesBytes
    }

    /// The name of the type of the member's state, without its module, so that a type may move to another one.
    var typeName: String { "\(Self.self)" }

    /// Returns the objects that hold the member's state, if the member refers to any.
    func holders(_ value: UnsafeRawPointer) -> [ObjectIdentifier] { [] }

    /// Returns the object of a member that is a holder.
    final func holders<Holder: StateHolder>(_ type: Holder.Type, _ value: UnsafeRawPointer) -> [ObjectIdentifier] {
        let holder = (value + offset).assumingMemoryBound(to: Holder.self).pointee
        if let object = holder.holdingObject { return [ObjectIdentifier(object)] }
        return type is AnyClass ? [ObjectIdentifier(holder as AnyObject)] : []
    }

    /// Returns the properties of the object to which the member refers that show, together with the bytes of the member itself, that
    /// its state has not changed, as the number of their layout. 0 for a member that is the state itself, and for one that does not name
    /// what its state depends on.
    func watchedLayout(_ value: UnsafeRawPointer) -> UInt16 { 0 }

    /// Appends the state of the member as JSON, unless its bytes equal those of the copy, and sets the copy to the state.
    ///
    /// - Returns: Whether the state was appended.
    // One call that reads the state once: another thread may send a value to a subject.
    func appendIfChanged(
        _ value: UnsafeRawPointer, _ copy: UnsafeMutableRawPointer, isInitialized: Bool, to json: inout [UInt8]
    ) throws -> Bool {
        preconditionFailure("\(Self.self) must override appendIfChanged(_:_:isInitialized:to:)")
    }

    /// Appends the state of the member as JSON.
    func append(_ value: UnsafeRawPointer, to json: inout [UInt8]) throws {
        preconditionFailure("\(Self.self) must override append(_:to:)")
    }

    /// Puts a stored state back.
    func restore(_ json: ArraySlice<UInt8>, to value: UnsafeMutableRawPointer) throws {
        preconditionFailure("\(Self.self) must override restore(_:to:)")
    }

    /// Releases the copy.
    func deinitialize(_ copy: UnsafeMutableRawPointer) {
        preconditionFailure("\(Self.self) must override deinitialize(_:)")
    }
}

/// A member with a state of one type.
class TypedMember<State>: Member {
    final let codec: StateCodec<State>

    init(_ path: String, _ offset: Int, _ place: Int, size: Int, isState: Bool, _ codec: StateCodec<State>) {
        self.codec = codec
        super.init(
            path, offset, place, size: size, isState: isState, comparesBytes: codec.comparesBytes)
    }

    func state(_ value: UnsafeRawPointer) -> State {
        preconditionFailure("\(Self.self) must override state(_:)")
    }

    /// The type that the stored state has.
    var statedType: any Any.Type { State.self }

    final override var typeName: String {
        let name = _typeName(statedType, qualified: false)
        // The form in which a value is stored is no type of the machine.
        guard name.hasPrefix("StoredValue<"), name.hasSuffix(">") else { return name }
        return String(name.dropFirst("StoredValue<".count).dropLast())
    }

    final override func appendIfChanged(
        _ value: UnsafeRawPointer, _ copy: UnsafeMutableRawPointer, isInitialized: Bool, to json: inout [UInt8]
    ) throws -> Bool {
        let state = state(value)
        let kept = (copy + place).assumingMemoryBound(to: State.self)
        if comparesBytes, isInitialized, StateComparison.hasSameBytes(kept.pointee, state) { return false }
        try codec.appendState(state, to: &json)
        if !comparesBytes { return true }
        if isInitialized { kept.pointee = state } else { kept.initialize(to: state) }
        return true
    }

    final override func append(_ value: UnsafeRawPointer, to json: inout [UInt8]) throws {
        try codec.appendState(state(value), to: &json)
    }

    final override func deinitialize(_ copy: UnsafeMutableRawPointer) {
        (copy + place).assumingMemoryBound(to: State.self).deinitialize(count: 1)
    }
}

/// A member that is the state itself.
class ValueMember<State>: TypedMember<State> {
    init(_ path: String, _ offset: Int, _ place: Int, _ codec: StateCodec<State>) {
        super.init(path, offset, place, size: MemoryLayout<State>.size, isState: true, codec)
    }

    final override func state(_ value: UnsafeRawPointer) -> State {
        (value + offset).assumingMemoryBound(to: State.self).pointee
    }

    final override func restore(_ json: ArraySlice<UInt8>, to value: UnsafeMutableRawPointer) throws {
        (value + offset).assumingMemoryBound(to: State.self).pointee = try codec.restore(json)
    }
}

/// A member whose value lives in an object. Its copy refers to the object, which then does not change: equal references mean an equal
/// value.
final class BoxedMember<Boxed: BoxedState>: ValueMember<Boxed> {
    init(_ path: String, _ offset: Int, _ place: Int, _ codec: StateCodec<Boxed.Content>) {
        super.init(
            path, offset, place,
            StateCodec {
                try codec.encode($0.content, &$1)
            } decode: {
                Boxed(content: try codec.decode($0))
            })
    }

    override var statedType: any Any.Type { Boxed.Content.self }
}

/// A member that refers to the object with the state.
final class HolderMember<Holder: StateHolder>: TypedMember<Holder.HeldState> {
    init(_ path: String, _ offset: Int, _ place: Int, _ codec: StateCodec<Holder.HeldState>) {
        super.init(path, offset, place, size: MemoryLayout<Holder>.size, isState: false, codec)
    }

    override func watchedLayout(_ value: UnsafeRawPointer) -> UInt16 {
        guard comparesBytes else { return 0 }
        // A reference is the address of its object.
        var places = WatchedPlaces(of: (value + offset).load(as: UnsafeRawPointer.self))
        (value + offset).assumingMemoryBound(to: Holder.self).pointee.watchHeld(&places)
        return places.layout(of: Holder.self)
    }

    override func state(_ value: UnsafeRawPointer) -> Holder.HeldState {
        (value + offset).assumingMemoryBound(to: Holder.self).pointee.heldState
    }

    override func restore(_ json: ArraySlice<UInt8>, to value: UnsafeMutableRawPointer) throws {
        (value + offset).assumingMemoryBound(to: Holder.self).pointee.restoreHeld(try codec.restore(json))
    }

    override func holders(_ value: UnsafeRawPointer) -> [ObjectIdentifier] { holders(Holder.self, value) }
}

/// A member that refers to an object whose state is not captured.
final class HolderReference<Holder: StateHolder>: Member {
    init(_ path: String, _ offset: Int) {
        super.init(path, offset, 0, size: MemoryLayout<Holder>.size, isState: false, comparesBytes: false)
    }

    override func holders(_ value: UnsafeRawPointer) -> [ObjectIdentifier] { holders(Holder.self, value) }
}

/// A member that is an object with holders among its own members. What it holds is captured with it, or is not captured.
final class ObjectReference: Member {
    private let inside: [Member]

    init(_ path: String, _ offset: Int, _ inside: [Member]) {
        self.inside = inside
        super.init(path, offset, 0, size: MemoryLayout<UInt>.size, isState: false, comparesBytes: false)
    }

    override func holders(_ value: UnsafeRawPointer) -> [ObjectIdentifier] {
        // A reference is the address of its object.
        let object = (value + offset).load(as: UnsafeRawPointer.self)
        return inside.flatMap { $0.holders(object) }
    }
}
