/// A value inside the state of an operator. Only the runtime knows that its type is `Codable`, or a tuple of such types.
public struct StoredValue<Value> {
    /// The value.
    public var value: Value

    /// Wraps a value.
    public init(_ value: Value) {
        self.value = value
    }
}

extension StoredValue: Codable {
    /// Decodes a value.
    ///
    /// - Throws: A `DecodingError` if the JSON does not fit the type.
    public init(from decoder: any Decoder) throws {
        if let type = Value.self as? any Decodable.Type {
            let container = try decoder.singleValueContainer()
            guard let value = try container.decode(type) as? Value else { throw Self.mismatch(decoder) }
            self.init(value)
            return
        }
        if let type = StateTypes.optional(Value.self), StateTypes.isCodable(Value.self) {
            guard let value = try type.decode(from: decoder) as? Value else { throw Self.mismatch(decoder) }
            self.init(value)
            return
        }
        guard StateTypes.isCodable(Value.self), let layout = StateTypes.elements(of: Value.self) else {
            guard let codec = KnownCodecs.codec(of: Value.self) else { throw Self.mismatch(decoder) }
            let text = try decoder.singleValueContainer().decode(String.self)
            self.init(try codec.restore(Array(text.utf8)[...]))
            return
        }
        var container = try decoder.unkeyedContainer()
        func decode<Element>(_ type: Element.Type) throws -> Any {
            try container.decode(StoredValue<Element>.self).value
        }
        // All elements are decoded before any is stored: a tuple cannot be destroyed in part.
        let elements = try layout.map { try _openExistential($0.type, do: decode) }
        let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        defer { place.deallocate() }
        for (element, part) in zip(elements, layout) {
            let address = UnsafeMutableRawPointer(place) + part.offset
            func store<Element>(_ type: Element.Type) {
                if let element = element as? Element { address.initializeMemory(as: Element.self, to: element) }
            }
            _openExistential(part.type, do: store)
        }
        self.init(place.move())
    }

    /// Encodes the value; a tuple as an array of its elements.
    ///
    /// - Throws: An `EncodingError` if the type is neither `Encodable` nor a tuple of such types.
    public func encode(to encoder: any Encoder) throws {
        if let type = Value.self as? any Encodable.Type {
            func encode<Coded: Encodable>(_ type: Coded.Type) throws {
                var container = encoder.singleValueContainer()
                // `Coded` is `Value`. A cast would look into an optional.
                try withUnsafePointer(to: value) {
                    try container.encode(UnsafeRawPointer($0).assumingMemoryBound(to: Coded.self).pointee)
                }
            }
            return try encode(type)
        }
        if let type = StateTypes.optional(Value.self), StateTypes.isCodable(Value.self) {
            return try withUnsafePointer(to: value) { try type.encode(at: $0, to: encoder) }
        }
        guard StateTypes.isCodable(Value.self), let layout = StateTypes.elements(of: Value.self) else {
            // As text, because the codec appends JSON, and an encoder accepts only values.
            if let codec = KnownCodecs.codec(of: Value.self) {
                var json: [UInt8] = []
                try codec.encode(value, &json)
                var container = encoder.singleValueContainer()
                return try container.encode(String(decoding: json, as: UTF8.self))
            }
            let description = "expected a type that is Codable, got \(Value.self)"
            throw EncodingError.invalidValue(
                value, .init(codingPath: encoder.codingPath, debugDescription: description))
        }
        var container = encoder.unkeyedContainer()
        try withUnsafePointer(to: value) { place in
            for part in layout {
                let address = UnsafeRawPointer(place) + part.offset
                func encode<Element>(_ type: Element.Type) throws {
                    try container.encode(StoredValue<Element>(address.assumingMemoryBound(to: Element.self).pointee))
                }
                try _openExistential(part.type, do: encode)
            }
        }
    }

    private static func mismatch(_ decoder: any Decoder) -> DecodingError {
        .typeMismatch(
            Value.self,
            .init(codingPath: decoder.codingPath, debugDescription: "expected a value of type \(Value.self)"))
    }
}

/// A value inside the state of an operator that may be missing. As JSON, an array with at most one element, because the
/// value may itself be nil.
public struct StoredOptional<Value>: Codable {
    /// The value.
    public var value: Value?

    /// Wraps a value.
    public init(_ value: Value?) {
        self.value = value
    }

    /// Decodes a value, or its absence.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        self.init(container.isAtEnd ? nil : try container.decode(StoredValue<Value>.self).value)
    }

    /// Encodes the value, or its absence.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        if let value { try container.encode(StoredValue(value)) }
    }
}

/// An optional type.
protocol OptionalType: TypeRole {
    static var wrappedType: any Any.Type { get }
    static func decode(from decoder: any Decoder) throws -> Any
    /// Encodes the value at an address.
    // A value cannot be passed as `any OptionalType`: the cast would look into an optional.
    static func encode(at address: UnsafeRawPointer, to encoder: any Encoder) throws
}

extension Optional: OptionalType {
    static var wrappedType: any Any.Type { Wrapped.self }

    static func decode(from decoder: any Decoder) throws -> Any {
        try StoredOptional<Wrapped>(from: decoder).value as Any
    }

    static func encode(at address: UnsafeRawPointer, to encoder: any Encoder) throws {
        try StoredOptional(address.assumingMemoryBound(to: Self.self).pointee).encode(to: encoder)
    }
}
