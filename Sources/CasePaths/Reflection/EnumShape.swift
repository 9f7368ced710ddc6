import Locking

/// The cases of an enum type, as its run-time metadata describe them.
///
/// The compiler numbers cases by *tag*: first the cases with a payload, then those without, both in the order of the
/// source. The type's field descriptor lists names and payload types in the order of the tags, and the type's value
/// witnesses tell a value's tag and take its payload out. Both are part of Swift's stable ABI. A type that was compiled
/// without reflection metadata has tags but no names.
package struct EnumShape: @unchecked Sendable {
    // Sendable because metadata live as long as the process and never change.
    /// The enum itself.
    package let type: any Any.Type
    /// By tag.
    package let cases: [Case]
    let witnesses: EnumWitnesses

    /// One case of an enum.
    package struct Case: @unchecked Sendable {
        // Sendable for the same reason.
        /// The name in the source.
        package let name: String
        /// What the case carries; nil if it carries nothing, or something of no size. Several associated values are a
        /// tuple.
        package let payload: (any Any.Type)?
        /// The label of an only associated value.
        package let label: String?
        /// Whether the payload lies in a box.
        package let isIndirect: Bool
        /// Whether the case carries something of a type that the run time could not find.
        package let isOpaque: Bool
        /// Whether the payload is declared as a generic parameter. It then lies there as generic code expects it, even if
        /// it is a function.
        let isParameter: Bool
    }

    /// What has been found out about types: it never changes, so it is found out once in a process.
    private static let known = Lock<[ObjectIdentifier: EnumShape]>([:])

    /// Describes `type`; nil if it is no enum or says nothing about its cases.
    package init?(_ type: any Any.Type) {
        if let shape = Self.known.withLock({ $0[ObjectIdentifier(type)] }) {
            self = shape
            return
        }
        self.init(lookingAt: type)
        Self.known.withLock { [shape = self] in $0[ObjectIdentifier(type)] = shape }
    }

    private init?(lookingAt type: any Any.Type) {
        guard let metadata = EnumMetadata(type), let witnesses = EnumWitnesses(metadata) else { return nil }
        self.type = type
        self.witnesses = witnesses
        cases = metadata.fields.map { Case($0, in: metadata) }
        guard cases.count == metadata.caseCount else { return nil }
    }

    /// The number of the value's case.
    package func tag<Root>(of value: Root) -> Int {
        precondition(Root.self == type, "The tag of a \(Root.self) was asked of the shape of \(type)")
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
