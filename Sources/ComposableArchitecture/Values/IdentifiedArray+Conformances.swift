extension IdentifiedArray where Element: Identifiable, ID == Element.ID {
    /// Makes an array of a sequence.
    public init<S: Sequence>(_ elements: S) where S.Element == Element {
        self.init(elements, id: \.id)
    }
}

extension IdentifiedArray: ExpressibleByArrayLiteral where Element: Identifiable, ID == Element.ID {
    /// Makes an array of the elements that are listed.
    public init(arrayLiteral elements: Element...) {
        self.init(elements)
    }
}

extension IdentifiedArray: RangeReplaceableCollection where Element: Identifiable, ID == Element.ID {
    /// Makes an empty array.
    public init() {
        self.init(id: \.id)
    }

    /// Puts elements in the place of others; of those with the same id the first is kept.
    public mutating func replaceSubrange<C: Collection>(_ range: Range<Int>, with newElements: C)
    where C.Element == Element {
        var all = elements
        all.replaceSubrange(range, with: newElements)
        self = IdentifiedArray(all)
    }
}

extension IdentifiedArray: Equatable where Element: Equatable {
    /// Whether both hold equal elements in the same order.
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
    /// Writes the elements as a list.
    public func encode(to encoder: any Encoder) throws {
        try elements.encode(to: encoder)
    }
}

extension IdentifiedArray: Decodable where Element: Decodable & Identifiable, ID == Element.ID {
    /// Reads a list of elements.
    public init(from decoder: any Decoder) throws {
        self.init(try [Element](from: decoder))
    }
}

// Sendable because the key path never changes, and the rest is if its elements are.
extension IdentifiedArray: @unchecked Sendable where ID: Sendable, Element: Sendable {}

extension IdentifiedArray: CustomStringConvertible, CustomReflectable {
    /// Like that of an array.
    public var description: String { elements.description }

    /// Like that of an array.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: elements, displayStyle: .collection) }
}
