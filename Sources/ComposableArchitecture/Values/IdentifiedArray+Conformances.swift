extension IdentifiedArray where Element: Identifiable, ID == Element.ID {
    /// Creates an array from a sequence. Elements with repeated ids are dropped.
    public init<S: Sequence>(_ elements: S) where S.Element == Element {
        self.init(elements, id: \.id)
    }
}

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
        try elements.encode(to: encoder)
    }
}

extension IdentifiedArray: Decodable where Element: Decodable & Identifiable, ID == Element.ID {
    /// Decodes an array of elements.
    public init(from decoder: any Decoder) throws {
        self.init(try [Element](from: decoder))
    }
}

// Sendable because key paths are immutable, although `KeyPath` is not marked `Sendable`.
extension IdentifiedArray: @unchecked Sendable where ID: Sendable, Element: Sendable {}

extension IdentifiedArray: CustomStringConvertible, CustomReflectable {
    /// The output of an array of the elements.
    public var description: String { elements.description }

    /// The output of an array of the elements.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: elements, displayStyle: .collection) }
}
