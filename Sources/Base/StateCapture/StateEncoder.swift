import JSONText
@_spi(Reflection) import Swift

/// Appends values of one type as JSON without an `Encoder`, in the form in which they encode themselves.
///
/// An encoder and its containers are objects and existentials: they cost some hundred nanoseconds for each state. States consist
/// mostly of numbers, texts and lists of them, and each is captured in most of a session's turns.
struct StateEncoder<Value> {
    let append: (Value, inout [UInt8]) throws -> Void

    init(_ append: @escaping (Value, inout [UInt8]) throws -> Void) {
        self.append = append
    }

    /// Returns nil for a type whose values need an encoder.
    init?() {
        guard let encoder = Self.made() as? Self else { return nil }
        self = encoder
    }

    private static func made() -> Any? {
        if let type = StateTypes.role(of: Value.self, as: (any DirectlyStored.Type).self) { return type.stateEncoder() }
        return (Value.self as? any JSONWritable.Type).map { writable($0) }
    }

    private static func writable<Scalar: JSONWritable>(_ type: Scalar.Type) -> Any {
        StateEncoder<Scalar> { value, json in
            // A capture must not fail because of a NaN in a member, which JSON cannot represent as a number.
            try JSONStream.append(scalar: value, to: &json, nonFinite: .bits)
        }
    }
}

/// A type whose values can be stored without an `Encoder`, in the form in which they encode themselves.
package protocol DirectlyStored: TypeRole {
    /// Returns a `StateEncoder<Self>`; nil if a type inside this one needs an encoder.
    static func stateEncoder() -> Any?
}

extension Array: DirectlyStored {
    package static func stateEncoder() -> Any? {
        guard Element.self is any Encodable.Type, let element = StateEncoder<Element>() else { return nil }
        return StateEncoder<Self> { array, json in
            json.append(UInt8(ascii: "["))
            var isFirst = true
            for value in array {
                if !isFirst { json.append(UInt8(ascii: ",")) }
                isFirst = false
                try element.append(value, &json)
            }
            json.append(UInt8(ascii: "]"))
        }
    }
}

extension StoredTime: DirectlyStored {
    package static func stateEncoder() -> Any? {
        StateEncoder<Self> { time, json in time.storedNanoseconds.append(to: &json) }
    }
}

extension StoredValue: DirectlyStored {
    package static func stateEncoder() -> Any? {
        if Value.self is any Encodable.Type {
            return StateEncoder<Value>().map { value in StateEncoder<Self> { try value.append($0.value, &$1) } }
        }
        guard let layout = StateTypes.elements(of: Value.self) else { return nil }
        let elements = layout.compactMap { element in
            func make<Element>(_ type: Element.Type) -> PlaceEncoder? {
                PlaceEncoder(StoredValue<Element>.self, at: element.offset)
            }
            return _openExistential(element.type, do: make)
        }
        guard elements.count == layout.count else { return nil }
        return StateEncoder<Self> { stored, json in
            json.append(UInt8(ascii: "["))
            try withUnsafePointer(to: stored.value) { value in
                for (index, element) in elements.enumerated() {
                    if index > 0 { json.append(UInt8(ascii: ",")) }
                    try element.append(value, &json)
                }
            }
            json.append(UInt8(ascii: "]"))
        }
    }
}

extension StoredOptional: DirectlyStored {
    package static func stateEncoder() -> Any? {
        guard let wrapped = StateEncoder<StoredValue<Value>>() else { return nil }
        return StateEncoder<Self> { stored, json in
            json.append(UInt8(ascii: "["))
            if let value = stored.value { try wrapped.append(StoredValue(value), &json) }
            json.append(UInt8(ascii: "]"))
        }
    }
}

/// A structure whose `encode(to:)` is the one that the compiler makes, without coding keys of its own.
///
/// It is stored by its fields instead, in the same form.
package protocol FieldwiseState: DirectlyStored, Encodable {}

extension FieldwiseState {
    package static func stateEncoder() -> Any? {
        var fields: [NamedField] = []
        let isDescribed = _forEachField(of: Self.self) { name, offset, type, _ in
            func make<Field>(_ type: Field.Type) -> NamedField? { NamedField(String(cString: name), type, at: offset) }
            guard let field = _openExistential(type, do: make) else { return false }
            fields.append(field)
            return true
        }
        guard isDescribed else { return nil }
        return StateEncoder<Self> { value, json in
            json.append(UInt8(ascii: "{"))
            var isFirst = true
            try withUnsafePointer(to: value) { value in
                for field in fields where try field.append(value, isFirst: isFirst, to: &json) { isFirst = false }
            }
            json.append(UInt8(ascii: "}"))
        }
    }
}

/// Appends the value at an offset.
private struct PlaceEncoder {
    let append: (UnsafeRawPointer, inout [UInt8]) throws -> Void

    /// Returns nil for a type whose values need an encoder.
    init?<Value>(_ type: Value.Type, at offset: Int) {
        guard let encoder = StateEncoder<Value>() else { return nil }
        append = { try encoder.append(($0 + offset).assumingMemoryBound(to: Value.self).pointee, &$1) }
    }
}

/// Appends a field with its name.
private struct NamedField {
    private let head: [UInt8]
    private let isPresent: ((UnsafeRawPointer) -> Bool)?
    private let value: PlaceEncoder

    /// Returns nil for a type whose values cannot be encoded.
    init?<Value>(_ name: String, _ type: Value.Type, at offset: Int) {
        var head: [UInt8] = []
        JSONWriter.append(name, to: &head)
        self.head = head + [UInt8(ascii: ":")]
        if MetadataKind(of: type) == .optional, let type = type as? any OptionalField.Type {
            guard let field = type.field(at: offset) else { return nil }
            (isPresent, value) = field
        } else {
            guard let encoder = PlaceEncoder(type, at: offset) ?? PlaceEncoder(encodable: type, at: offset) else {
                return nil
            }
            (isPresent, value) = (nil, encoder)
        }
    }

    /// Returns false if the field is nil, and is left out.
    func append(_ root: UnsafeRawPointer, isFirst: Bool, to json: inout [UInt8]) throws -> Bool {
        if let isPresent, !isPresent(root) { return false }
        if !isFirst { json.append(UInt8(ascii: ",")) }
        json.append(contentsOf: head)
        try value.append(root, &json)
        return true
    }
}

/// An optional field, which the compiler's `encode(to:)` leaves out if it is nil.
private protocol OptionalField: TypeRole {
    static func field(at offset: Int) -> (((UnsafeRawPointer) -> Bool)?, PlaceEncoder)?
}

extension Optional: OptionalField {
    fileprivate static func field(at offset: Int) -> (((UnsafeRawPointer) -> Bool)?, PlaceEncoder)? {
        // An optional with a value is encoded like the value.
        guard let value = PlaceEncoder(encodable: Self.self, at: offset) else { return nil }
        return ({ ($0 + offset).assumingMemoryBound(to: Self.self).pointee != nil }, value)
    }
}

extension PlaceEncoder {
    /// Creates an encoder for a field that needs an `Encoder`.
    fileprivate init?<Value>(encodable type: Value.Type, at offset: Int) {
        guard let type = type as? any Encodable.Type else { return nil }
        func make<Coded: Encodable>(_ type: Coded.Type) -> PlaceEncoder {
            PlaceEncoder { root, json in
                let value = (root + offset).assumingMemoryBound(to: Coded.self)
                try JSONStream.append(value.pointee, to: &json, nonFinite: .bits)
            }
        }
        self = make(type)
    }

    private init(_ append: @escaping (UnsafeRawPointer, inout [UInt8]) throws -> Void) {
        self.append = append
    }
}
