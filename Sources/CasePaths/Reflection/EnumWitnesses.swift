/// The functions in an enum's value witness table that know where its tag is.
///
/// `getEnumTag`, `destructiveProjectEnumData` and `destructiveInjectEnumTag` follow the eleven common entries of the table (`ValueWitness.def` in the
/// run time's sources); a flag says whether they are there.
struct EnumWitnesses {
    private typealias GetTag = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32
    private typealias Project = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void
    private typealias Inject = @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeRawPointer) -> Void

    private let metadata: UnsafeRawPointer
    private let getTag: GetTag
    private let projectPayload: Project
    private let injectTag: Inject

    /// Finds the functions; nil if the table has none.
    init?(_ enumeration: EnumMetadata) {
        metadata = enumeration.pointer
        let table = (metadata - MemoryLayout<Int>.size).load(as: UnsafeRawPointer.self)
        let flags = table.load(fromByteOffset: 10 * MemoryLayout<Int>.size, as: UInt32.self)
        guard flags & 0x0020_0000 != 0 else { return nil }
        getTag = table.load(fromByteOffset: 11 * MemoryLayout<Int>.size, as: GetTag.self)
        projectPayload = table.load(fromByteOffset: 12 * MemoryLayout<Int>.size, as: Project.self)
        injectTag = table.load(fromByteOffset: 13 * MemoryLayout<Int>.size, as: Inject.self)
    }

    /// The number of the value's case.
    func tag<Root>(of value: Root) -> Int {
        withUnsafePointer(to: value) { Int(getTag($0, metadata)) }
    }

    /// Takes the payload out of a copy of `value`.
    ///
    /// The value has to be in a case whose payload is a `Payload`, in a box if `isIndirect` says so; the caller has made
    /// sure of that.
    func payload<Root, Payload>(of value: Root, isIndirect: Bool, as type: Payload.Type) -> Payload {
        withUnsafeTemporaryAllocation(of: Root.self, capacity: 1) { buffer in
            guard let copy = buffer.baseAddress else { preconditionFailure("An allocation of one value was empty") }
            copy.initialize(to: value)
            let memory = UnsafeMutableRawPointer(copy)
            projectPayload(memory, metadata)
            guard isIndirect else { return memory.assumingMemoryBound(to: Payload.self).move() }
            let box = memory.load(as: UnsafeRawPointer.self)
            defer { Unmanaged<AnyObject>.fromOpaque(box).release() }
            let alignment = MemoryLayout<Payload>.alignment
            let header = (2 * MemoryLayout<Int>.size + alignment - 1) / alignment * alignment
            return (box + header).assumingMemoryBound(to: Payload.self).pointee
        }
    }

    /// Makes a value of a case whose payload, or the box with it, the closure puts into memory.
    func value<Root>(tag: Int, as type: Root.Type, putPayload: (UnsafeMutableRawPointer) -> Void) -> Root {
        withUnsafeTemporaryAllocation(of: Root.self, capacity: 1) { buffer in
            guard let place = buffer.baseAddress else { preconditionFailure("An allocation of one value was empty") }
            let memory = UnsafeMutableRawPointer(place)
            putPayload(memory)
            injectTag(memory, UInt32(tag), metadata)
            return place.move()
        }
    }
}
