/// A member of a type, at an offset from the beginning of its values. Stateless: the caller passes the addresses.
class Member {
    /// The names from the root to the member: `filter.text`.
    final let path: String
    /// The offset of the member.
    final let offset: Int
    /// The offset of its last state in a copy.
    final let place: Int

    init(_ path: String, _ offset: Int, _ place: Int) {
        self.path = path
        self.offset = offset
        self.place = place
    }

    /// Appends the state of the member as JSON if it differs from the copy, and updates the copy. Returns whether it
    /// does.
    ///
    /// - Parameters:
    ///   - value: The address of the root.
    ///   - copy: The address of the copy.
    ///   - isInitialized: Whether the copy holds an earlier state; false the first time.
    ///   - all: Whether a state that equals the copy is appended as well.
    ///   - json: The buffer.
    func appendIfChanged(
        _ value: UnsafeRawPointer, _ copy: UnsafeMutableRawPointer, isInitialized: Bool, all: Bool,
        to json: inout [UInt8]
    ) throws -> Bool {
        preconditionFailure("\(Self.self) must override appendIfChanged(_:_:isInitialized:all:to:)")
    }

    /// Puts a stored state back.
    func restore(_ json: ArraySlice<UInt8>, to value: UnsafeMutableRawPointer) throws {
        preconditionFailure("\(Self.self) must override restore(_:to:)")
    }

    /// Sets a fresh copy to the current state.
    func initializeCopy(_ value: UnsafeRawPointer, _ copy: UnsafeMutableRawPointer) {
        preconditionFailure("\(Self.self) must override initializeCopy(_:_:)")
    }

    /// Releases the copy.
    func deinitialize(_ copy: UnsafeMutableRawPointer) {
        preconditionFailure("\(Self.self) must override deinitialize(_:)")
    }
}

/// A member with a state of one type.
class TypedMember<State>: Member {
    final let codec: StateCodec<State>
    private let comparesBytes = StateComparison.isSound(for: State.self)

    init(_ path: String, _ offset: Int, _ place: Int, _ codec: StateCodec<State>) {
        self.codec = codec
        super.init(path, offset, place)
    }

    func state(_ value: UnsafeRawPointer) -> State {
        preconditionFailure("\(Self.self) must override state(_:)")
    }

    final override func appendIfChanged(
        _ value: UnsafeRawPointer, _ copy: UnsafeMutableRawPointer, isInitialized: Bool, all: Bool,
        to json: inout [UInt8]
    ) throws -> Bool {
        let copy = (copy + place).assumingMemoryBound(to: State.self)
        let current = state(value)
        if !all, comparesBytes, isInitialized, StateComparison.hasSameBytes(copy.pointee, current) { return false }
        try codec.encode(current, &json)
        if isInitialized { copy.pointee = current } else { copy.initialize(to: current) }
        return true
    }

    final override func initializeCopy(_ value: UnsafeRawPointer, _ copy: UnsafeMutableRawPointer) {
        (copy + place).initializeMemory(as: State.self, to: state(value))
    }

    final override func deinitialize(_ copy: UnsafeMutableRawPointer) {
        (copy + place).assumingMemoryBound(to: State.self).deinitialize(count: 1)
    }
}

/// A member that is the state itself.
final class ValueMember<State>: TypedMember<State> {
    override func state(_ value: UnsafeRawPointer) -> State {
        (value + offset).assumingMemoryBound(to: State.self).pointee
    }

    override func restore(_ json: ArraySlice<UInt8>, to value: UnsafeMutableRawPointer) throws {
        (value + offset).assumingMemoryBound(to: State.self).pointee = try codec.decode(json)
    }
}

/// A member that refers to the object with the state.
final class HolderMember<Holder: StateHolder>: TypedMember<Holder.HeldState> {
    override func state(_ value: UnsafeRawPointer) -> Holder.HeldState {
        (value + offset).assumingMemoryBound(to: Holder.self).pointee.heldState
    }

    override func restore(_ json: ArraySlice<UInt8>, to value: UnsafeMutableRawPointer) throws {
        (value + offset).assumingMemoryBound(to: Holder.self).pointee.restoreHeld(try codec.decode(json))
    }
}
