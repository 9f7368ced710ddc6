import JSONText

extension IdentifiedArray: ExpressibleByArrayLiteral where Element: Identifiable, ID == Element.ID {
    /// Creates an array of the listed elements.
    public init(arrayLiteral elements: Element...) {
        self.init(elements)
    }
}

extension IdentifiedArray: RangeReplaceableCollection where Element: Identifiable, ID == Element.ID {
    /// Creates an empty array.
    public init() {
        self.init(id: \.id)
    }

    /// Replaces a range of elements.
    ///
    /// A new element with the id of an element outside of the range replaces that element in its place. Of new elements with the
    /// same id, the first is inserted, in the place of the last.
    public mutating func replaceSubrange<C: Collection>(_ range: Range<Int>, with newElements: C)
    where C.Element == Element {
        replace(range, with: newElements)
    }
}

extension IdentifiedArray: Equatable where Element: Equatable {
    /// Returns whether both arrays hold equal elements in the same order.
    public static func == (lhs: IdentifiedArray, rhs: IdentifiedArray) -> Bool {
        lhs.elements == rhs.elements
    }
}

extension IdentifiedArray: Hashable where Element: Hashable {
    /// Hashes the elements.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(elements)
    }
}

extension IdentifiedArray: Encodable where Element: Encodable {
    /// Encodes the elements as an array.
    public func encode(to encoder: any Encoder) throws {
        if StoredForm.isRequested(by: encoder.userInfo) { try checkStoredID() }
        try elements.encode(to: encoder)
    }
}

extension IdentifiedArray: Decodable where Element: Decodable & Identifiable, ID == Element.ID {
    /// Decodes an array of elements.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if two elements have the same id.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        self.init()
        while !container.isAtEnd {
            let offset = container.currentIndex
            guard append(try container.decode(Element.self)).inserted else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "Duplicate element at offset \(offset)")
            }
        }
    }
}

// Sendable because key paths are immutable, although `KeyPath` is not marked `Sendable`.
extension IdentifiedArray: @unchecked Sendable where ID: Sendable, Element: Sendable {}

extension IdentifiedArray: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The output of an array of the elements.
    public var description: String { elements.description }

    /// The type of the elements, and the debug output of an array of them.
    public var debugDescription: String { "IdentifiedArray<\(Element.self)>(\(elements.debugDescription))" }

    /// The output of an array of the elements.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: elements, displayStyle: .collection) }
}
