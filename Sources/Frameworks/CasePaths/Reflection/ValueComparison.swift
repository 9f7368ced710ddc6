enum ValueComparison {
    /// Returns whether two values have the same bytes, are equal, or consist of parts of which that is true.
    // Not only by their bytes: those that no field uses, such as padding, differ between copies of a value.
    static func isSame<Value>(_ first: Value, _ second: Value) -> Bool {
        if haveSameBytes(first, second) { return true }
        // In an existential container, the bytes beside the value are unused.
        func isSame<Contained>(as type: Contained.Type) -> Bool {
            guard let first = first as? Contained, let second = second as? Contained else { return false }
            if haveSameBytes(first, second) { return true }
            if let first = first as? any Equatable { return isEqual(first, second) }
            return !(type is AnyObject.Type) && haveSameParts(first, second)
        }
        return _openExistential(type(of: first as Any), do: isSame)
    }

    private static func haveSameBytes<Value>(_ first: Value, _ second: Value) -> Bool {
        withUnsafeBytes(of: first) { first in
            withUnsafeBytes(of: second) { $0.elementsEqual(first) }
        }
    }

    private static func isEqual<Value: Equatable>(_ first: Value, _ second: Any) -> Bool {
        second as? Value == first
    }

    private static func haveSameParts<Value>(_ first: Value, _ second: Value) -> Bool {
        let shape = EnumShape(Value.self)
        if let shape, shape.tag(of: first) != shape.tag(of: second) { return false }
        let (parts, others) = (Mirror(reflecting: first).children, Mirror(reflecting: second).children)
        // Nothing is known of a value without parts, such as a function, unless it is a case without a payload.
        if parts.isEmpty { return shape != nil && others.isEmpty }
        return parts.count == others.count && zip(parts, others).allSatisfy { isSame($0.value, $1.value) }
    }
}
