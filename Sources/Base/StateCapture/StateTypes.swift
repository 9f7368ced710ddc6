/// Queries to the runtime about the types of captured values.
package enum StateTypes {
    /// Returns whether the values of a type can be stored: the type is `Codable`, or a tuple or an optional of such types.
    // Tuples, because `combineLatest` and `zip` publish them, and `Void`, because a signal has no other value. Neither can
    // conform to a protocol.
    static func isCodable(_ type: any Any.Type) -> Bool {
        if let optional = optional(type) { return isCodable(optional.wrappedType) }
        if type is any Codable.Type { return role(of: type, as: (any CapturedByFields.Type).self) == nil }
        return elements(of: type)?.allSatisfy { isCodable($0.type) } ?? false
    }

    /// Returns whether the values of a type can be captured: the type is `Codable` in this sense, or its values consist of
    /// such values.
    static func isCapturable(_ type: any Any.Type) -> Bool {
        func isKnown<Value>(_ type: Value.Type) -> Bool { KnownCodecs.codec(of: type) != nil }
        return isCodable(type) || _openExistential(type, do: isKnown)
    }

    /// Returns the type as an optional type; nil for all other types.
    static func optional(_ type: any Any.Type) -> (any OptionalType.Type)? {
        MetadataKind(of: type) == .optional ? type as? any OptionalType.Type : nil
    }

    /// The elements of a tuple with their offsets; nil if the type is not a tuple.
    static func elements(of type: any Any.Type) -> [(type: any Any.Type, offset: Int)]? {
        // `TargetTupleTypeMetadata` in the runtime's sources: the kind, the number of elements, their labels, and for each
        // element its type and its offset.
        guard MetadataKind(of: type) == .tuple else { return nil }
        let metadata = UnsafeRawPointer(unsafeBitCast(type, to: UnsafePointer<Int>.self))
        let word = MemoryLayout<Int>.size
        let count = metadata.load(fromByteOffset: word, as: Int.self)
        return (0..<count).map { index in
            let place = (3 + 2 * index) * word
            let element = metadata.load(fromByteOffset: place, as: Any.Type.self)
            // 32 bits, except on Apple's platforms.
            return (element, Int(metadata.load(fromByteOffset: place + word, as: UInt32.self)))
        }
    }
}

/// The kinds of types, as far as they are treated differently.
package enum MetadataKind {
    case structure
    case enumeration
    case optional
    case function
    case tuple
    case other

    /// Reads the kind from the first word of the type's metadata (`MetadataKind.def` in the runtime's sources).
    package init(of type: any Any.Type) {
        switch unsafeBitCast(type, to: UnsafePointer<Int>.self).pointee {
        case 0x200: self = .structure
        case 0x201: self = .enumeration
        case 0x202: self = .optional
        case 0x301: self = .tuple
        case 0x302: self = .function
        default: self = .other
        }
    }
}
