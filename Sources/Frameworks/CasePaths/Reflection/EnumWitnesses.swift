/// The functions in an enum's value witness table that access its tag and payload.
///
/// `getEnumTag`, `destructiveProjectEnumData` and `destructiveInjectEnumTag` follow the eleven common entries of the
/// table (`ValueWitness.def` in the runtime's sources). A flag indicates whether they exist.
struct EnumWitnesses {
    private typealias GetTag = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32
    private typealias Project = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void
    private typealias Inject = @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeRawPointer) -> Void

    private let metadata: UnsafeRawPointer
    private let getTag: GetTag
    private let projectPayload: Project
    private let injectTag: Inject

    /// Reads the functions. Returns nil if the table does not have them.
    init?(_ enumeration: EnumMetadata) {
        metadata = enumeration.pointer
        // The value witness table is the word before the address point of the metadata.
        let table = (metadata - MemoryLayout<Int>.size).load(as: UnsafeRawPointer.self)
        let flags = table.load(fromByteOffset: 10 * MemoryLayout<Int>.size, as: UInt32.self)
        guard flags & 0x0020_0000 != 0 else { return nil }
        getTag = table.load(fromByteOffset: 11 * MemoryLayout<Int>.size, as: GetTag.self)
        projectPayload = table.load(fromByteOffset: 12 * MemoryLayout<Int>.size, as: Project.self)
        injectTag = table.load(fromByteOffset: 13 * MemoryLayout<Int>.size, as: Inject.self)
    }

    /// Returns the tag of the value's case.
    func tag<Root>(of value: Root) -> Int {
        withUnsafePointer(to: value) { Int(getTag($0, metadata)) }
    }

    /// Returns the payload of a copy of `value`.
    ///
    /// The caller guarantees that the value is in a case whose payload is a `Payload`, in a box if `isIndirect` is
    /// true.
    func payload<Root, Payload>(of value: Root, isIndirect: Bool, as type: Payload.Type) -> Payload {
        withUnsafeTemporaryAllocation(of: Root.self, capacity: 1) { buffer in
            guard let copy = buffer.baseAddress else { preconditionFailure("An allocation has no address") }
            // Projecting destroys the tag bits in place, so it must not be done to the caller's value. The payload is
            // moved out of the copy, which leaves nothing to destroy.
            copy.initialize(to: value)
            let memory = UnsafeMutableRawPointer(copy)
            projectPayload(memory, metadata)
            guard isIndirect else { return memory.assumingMemoryBound(to: Payload.self).move() }
            // The copy owns a reference to the box. The payload is shared with the original value, so it is copied out,
            // and the reference released.
            let box = memory.load(as: UnsafeRawPointer.self)
            defer { Unmanaged<AnyObject>.fromOpaque(box).release() }
            let alignment = MemoryLayout<Payload>.alignment
            // The payload follows the object header (metadata and reference count), at its own alignment.
            let header = (2 * MemoryLayout<Int>.size + alignment - 1) / alignment * alignment
            return (box + header).assumingMemoryBound(to: Payload.self).pointee
        }
    }

    /// Creates a value of a case. The closure writes the payload, or the reference to its box, into memory.
    func value<Root>(tag: Int, as type: Root.Type, putPayload: (UnsafeMutableRawPointer) -> Void) -> Root {
        withUnsafeTemporaryAllocation(of: Root.self, capacity: 1) { buffer in
            guard let place = buffer.baseAddress else { preconditionFailure("An allocation has no address") }
            let memory = UnsafeMutableRawPointer(place)
            putPayload(memory)
            injectTag(memory, UInt32(tag), metadata)
            return place.move()
        }
    }
}
