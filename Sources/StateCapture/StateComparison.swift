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
        if let type = type as? any SharedStorage.Type { return type.isComparedByBytes }
        if let cases = EnumerationMetadata.reading?.cases(of: type) {
            // A payload in a box is an object, which says nothing about its contents.
            return cases.allSatisfy { found in
                found.canBeCreated && found.values.allSatisfy { self.isSound(for: $0.type) }
            }
        }
        var isSound = true
        var count = 0
        // Only structures are described by fields here; for everything else the closure is not called.
        let isDescribed = _forEachField(of: type) { _, _, field, _ in
            count += 1
            isSound = self.isSound(for: field)
            return isSound
        }
        return isDescribed && isSound && count > 0
    }

    /// Returns whether two values have the same bytes.
    static func hasSameBytes<Value>(_ former: Value, _ value: Value) -> Bool {
        withUnsafeBytes(of: former) { former in
            withUnsafeBytes(of: value) { value in former.elementsEqual(value) }
        }
    }
}

/// A type whose storage is copied before it changes while another copy refers to it.
package protocol SharedStorage {
    /// Whether equal bytes prove that two values are equal.
    static var isComparedByBytes: Bool { get }
}

extension String: SharedStorage {
    package static var isComparedByBytes: Bool { true }
}

extension Substring: SharedStorage {
    package static var isComparedByBytes: Bool { true }
}

extension Optional: SharedStorage {
    package static var isComparedByBytes: Bool { StateComparison.isSound(for: Wrapped.self) }
}

extension Array: SharedStorage {
    package static var isComparedByBytes: Bool { StateComparison.isSound(for: Element.self) }
}

extension ContiguousArray: SharedStorage {
    package static var isComparedByBytes: Bool { StateComparison.isSound(for: Element.self) }
}

extension Set: SharedStorage {
    package static var isComparedByBytes: Bool { StateComparison.isSound(for: Element.self) }
}

extension Dictionary: SharedStorage {
    package static var isComparedByBytes: Bool {
        StateComparison.isSound(for: Key.self) && StateComparison.isSound(for: Value.self)
    }
}
