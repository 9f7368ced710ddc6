import StateCapture

/// A value, or none, in the captured state of an operator.
@usableFromInline
struct CapturedValue<Value> {
    @usableFromInline var value: Value?

    @inlinable
    init(_ value: Value? = nil) {
        self.value = value
    }
}

extension CapturedValue: Codable {
    /// Decodes an array of at most one value.
    // An array, because a value that is itself optional may be `null`.
    @usableFromInline
    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        if !container.isAtEnd { value = try container.decode(StoredValue<Value>.self).value }
    }

    @usableFromInline
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        if let value { try container.encode(StoredValue(value)) }
    }
}

/// The values in the captured state of an operator.
@usableFromInline
struct CapturedValues<Value> {
    @usableFromInline var values: [Value] = []

    @usableFromInline
    init() {}
}

extension CapturedValues: Codable {
    @usableFromInline
    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd { values.append(try container.decode(StoredValue<Value>.self).value) }
    }

    @usableFromInline
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for value in values { try container.encode(StoredValue(value)) }
    }
}
