/// The runtime metadata of an enum type, in the layout that the ABI defines.
///
/// See `TypeMetadata.rst` in the compiler's documentation: an enum's metadata consists of its kind, its context
/// descriptor and its generic arguments. The descriptor refers to the field descriptor by relative pointers.
struct EnumMetadata {
    /// A field record, which describes a case.
    struct Field {
        let name: String
        let type: (any Any.Type)?
        let hasType: Bool
        let isIndirect: Bool
        /// Whether the payload is declared as a generic parameter, as in `some(Wrapped)`.
        let isParameter: Bool
    }

    private enum Kind {
        static let enumeration = 0x201
        static let optional = 0x202
    }

    let pointer: UnsafeRawPointer
    private let descriptor: UnsafeRawPointer

    /// Reads the metadata of `type`. Returns nil if it is not an enum.
    init?(_ type: any Any.Type) {
        pointer = unsafeBitCast(type, to: UnsafeRawPointer.self)
        let kind = pointer.load(as: Int.self)
        guard kind == Kind.enumeration || kind == Kind.optional else { return nil }
        descriptor = pointer.load(fromByteOffset: MemoryLayout<Int>.size, as: UnsafeRawPointer.self)
    }

    var caseCount: Int {
        // The upper eight bits hold the offset of the payload size, not a part of the count.
        let payloadCases = descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0x00FF_FFFF
        let emptyCases = descriptor.load(fromByteOffset: 24, as: UInt32.self)
        return Int(payloadCases) + Int(emptyCases)
    }

    /// The cases in the order of their tags. Empty if the type was compiled without reflection metadata.
    var fields: [Field] {
        guard let fieldDescriptor = relative(descriptor + 16) else { return [] }
        let recordSize = Int(fieldDescriptor.load(fromByteOffset: 10, as: UInt16.self))
        let count = Int(fieldDescriptor.load(fromByteOffset: 12, as: UInt32.self))
        guard recordSize >= 12 else { return [] }
        return (0..<count).map { field(at: fieldDescriptor + 16 + $0 * recordSize) }
    }

    private func field(at record: UnsafeRawPointer) -> Field {
        let flags = record.load(as: UInt32.self)
        let name = relative(record + 8).map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
        let mangled = relative(record + 4)
        return Field(
            name: name ?? "", type: mangled.flatMap { type(mangledAs: $0) }, hasType: mangled != nil,
            isIndirect: flags & 1 != 0, isParameter: mangled.map { isParameter(mangledAs: $0) } ?? false)
    }

    /// Returns the target of a relative pointer, or nil if the pointer is null.
    private func relative(_ place: UnsafeRawPointer) -> UnsafeRawPointer? {
        let offset = place.load(as: Int32.self)
        return offset == 0 ? nil : place + Int(offset)
    }

    /// Returns the type with a mangled name, with the generic arguments of this enum substituted.
    private func type(mangledAs name: UnsafeRawPointer) -> (any Any.Type)? {
        _getTypeByMangledNameInContext(
            name.assumingMemoryBound(to: UInt8.self), UInt(Self.length(ofMangledName: name)),
            genericContext: descriptor, genericArguments: pointer + 2 * MemoryLayout<Int>.size)
    }

    /// Returns whether the name is that of a generic parameter: `x` (the first), `q_` (the second), `q0_` and so on.
    private func isParameter(mangledAs name: UnsafeRawPointer) -> Bool {
        let bytes = UnsafeRawBufferPointer(start: name, count: Self.length(ofMangledName: name))
        if bytes.count == 1 { return bytes.first == UInt8(ascii: "x") }
        return bytes.first == UInt8(ascii: "q") && bytes.last == UInt8(ascii: "_")
            && bytes.dropFirst().dropLast().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// Returns the length of a mangled name. It ends with a zero byte, but symbolic references inside it (a control
    /// byte and an offset) may contain zeros.
    private static func length(ofMangledName name: UnsafeRawPointer) -> Int {
        var end = name
        while true {
            switch end.load(as: UInt8.self) {
            case 0: return end - name
            case 0x01...0x17: end += 5
            case 0x18...0x1F: end += 1 + MemoryLayout<Int>.size
            default: end += 1
            }
        }
    }
}
