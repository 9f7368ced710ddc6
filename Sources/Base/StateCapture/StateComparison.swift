import CRuntime
import Locking
@_spi(Reflection) import Swift

/// Compares the bytes of a value with those of an earlier copy.
///
/// The earlier copy is retained, so a collection with copy-on-write storage cannot have changed in place: equal bytes
/// mean an equal value. Unequal bytes may still be an equal value, which is then encoded once more than necessary.
package enum StateComparison {
    /// Returns whether equal bytes prove that two values of a type are equal. That is not so if a value refers to an
    /// object, which can change while the reference stays.
    package static func isSound(for type: any Any.Type) -> Bool {
        func isPlain<Value>(_ type: Value.Type) -> Bool { _isPOD(type) }
        if _openExistential(type, do: isPlain) { return true }
        // Each part of each new session asks.
        guard openTypes.isEmpty else { return inspect(type) }
        if let isSound = known.withLock({ $0[ObjectIdentifier(type)] }) { return isSound }
        let isSound = inspect(type)
        known.withLock { $0[ObjectIdentifier(type)] = isSound }
        return isSound
    }

    private static let known = Lock<[ObjectIdentifier: Bool]>([:])

    private static func inspect(_ type: any Any.Type) -> Bool {
        // A type that contains itself, in a collection: its other parts decide.
        if openTypes.contains(ObjectIdentifier(type)) { return true }
        return $openTypes.withValue(openTypes.union([ObjectIdentifier(type)])) { isSound(forPartsOf: type) }
    }

    /// The types whose parts are being inspected.
    // Task-local, because the types of a collection's elements are reached through a property of its type.
    @TaskLocal private static var openTypes: Set<ObjectIdentifier> = []

    private static func isSound(forPartsOf type: any Any.Type) -> Bool {
        if let type = StateTypes.role(of: type, as: (any ByteComparable.Type).self) { return type.isComparedByBytes }
        if let elements = StateTypes.elements(of: type) { return elements.allSatisfy { self.isSound(for: $0.type) } }
        if let cases = EnumerationMetadata.reading?.cases(of: type) {
            // The box of an indirect case does not change.
            return cases.allSatisfy { found in
                found.canBeCreated && found.values.allSatisfy { self.isSound(for: $0.type) }
            }
        }
        // Only structures are described by fields here. For an existential type, the runtime would look into a value.
        guard case .structure = MetadataKind(of: type) else { return false }
        var isSound = true
        var count = 0
        let isDescribed = _forEachField(of: type) { _, _, field, _ in
            count += 1
            isSound = self.isSound(for: field)
            return isSound
        }
        return isDescribed && isSound && count > 0
    }

    /// Returns whether two values have the same bytes.
    static func hasSameBytes<Value>(_ former: Value, _ value: Value) -> Bool {
        withUnsafePointer(to: former) { former in
            withUnsafePointer(to: value) { granary_is_same(former, $0, MemoryLayout<Value>.size) }
        }
    }
}

/// A type whose storage is copied before it changes while another copy refers to it.
package protocol ByteComparable: TypeRole {
    /// Whether equal bytes prove that two values are equal.
    static var isComparedByBytes: Bool { get }
}

extension String: ByteComparable {
    package static var isComparedByBytes: Bool { true }
}

extension Substring: ByteComparable {
    package static var isComparedByBytes: Bool { true }
}

extension Optional: ByteComparable {
    package static var isComparedByBytes: Bool { StateComparison.isSound(for: Wrapped.self) }
}

extension Array: ByteComparable {
    package static var isComparedByBytes: Bool { StateComparison.isSound(for: Element.self) }
}

extension ContiguousArray: ByteComparable {
    package static var isComparedByBytes: Bool { StateComparison.isSound(for: Element.self) }
}

extension Set: ByteComparable {
    package static var isComparedByBytes: Bool { StateComparison.isSound(for: Element.self) }
}

extension Dictionary: ByteComparable {
    package static var isComparedByBytes: Bool {
        StateComparison.isSound(for: Key.self) && StateComparison.isSound(for: Value.self)
    }
}
