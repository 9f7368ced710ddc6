import Locking

/// The cases of an enum type, as described by its runtime metadata.
///
/// The compiler numbers cases by *tag*: first the cases with a payload, then those without, both in source order. The
/// type's field descriptor lists names and payload types in the order of the tags, and the type's value witnesses read
/// a value's tag and extract its payload. Both are part of Swift's stable ABI. A type that was compiled without
/// reflection metadata has tags but no names.
package struct EnumShape: @unchecked Sendable {
    // Sendable because metadata is immutable and is never deallocated.
    package let type: any Any.Type
    /// The cases, indexed by tag.
    package let cases: [Case]
    let witnesses: EnumWitnesses

    package struct Case: @unchecked Sendable {
        // Sendable for the same reason.
        /// The name in the source code.
        package let name: String
        /// The type of the payload. Nil if the case has no payload, or one without size. Several associated values form
        /// a tuple.
        package let payload: (any Any.Type)?
        /// The label of a single associated value.
        package let label: String?
        /// Whether the payload is stored in a box on the heap.
        package let isIndirect: Bool
        /// Whether the case has a payload whose type the runtime could not resolve.
        package let isOpaque: Bool
        /// Whether the payload is declared as a generic parameter. It is then stored as generic code expects, even if
        /// it is a function.
        let isParameter: Bool
    }

    /// A cache for the whole process. Safe to keep, because the shape of a type never changes.
    private static let known = Lock<[ObjectIdentifier: EnumShape]>([:])

    /// Reads the shape of `type`. Returns nil if it is not an enum, or if its cases are not described.
    package init?(_ type: any Any.Type) {
        // Before the lock, because most types are not enums.
        guard let metadata = EnumMetadata(type) else { return nil }
        if let shape = Self.known.withLock({ $0[ObjectIdentifier(type)] }) {
            self = shape
            return
        }
        self.init(type, metadata)
        Self.known.withLock { [shape = self] in $0[ObjectIdentifier(type)] = shape }
    }

    private init?(_ type: any Any.Type, _ metadata: EnumMetadata) {
        guard let witnesses = EnumWitnesses(metadata) else { return nil }
        self.type = type
        self.witnesses = witnesses
        cases = metadata.fields.map { Case($0, in: metadata) }
        // Without reflection metadata there are no field records although there are cases.
        guard cases.count == metadata.caseCount else { return nil }
    }

    /// Returns the tag of the value's case.
    package func tag<Root>(of value: Root) -> Int {
        precondition(Root.self == type, "Expected the shape of \(Root.self), got that of \(type)")
        return witnesses.tag(of: value)
    }
}

extension EnumShape.Case {
    fileprivate init(_ field: EnumMetadata.Field, in metadata: EnumMetadata) {
        name = field.name
        isIndirect = field.isIndirect
        isParameter = field.isParameter
        isOpaque = field.type == nil && field.hasType
        if let type = field.type, let tuple = TupleMetadata(type), tuple.count == 1 {
            payload = tuple.element(0)
            label = tuple.labels.first.flatMap { $0.isEmpty ? nil : $0 }
        } else {
            payload = field.type
            label = nil
        }
    }
}
