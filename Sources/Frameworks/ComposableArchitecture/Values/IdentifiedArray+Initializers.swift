extension IdentifiedArray {
    /// Creates an array of elements that all have another id. Elements with repeated ids are reported and dropped.
    public init<S: Sequence>(uniqueElements elements: S, id: KeyPath<Element, ID>) where S.Element == Element {
        self.init(id: id)
        for element in elements where !append(element).inserted {
            let problem = "expected elements with different ids: an element was dropped"
            Issues.report("\(problem): \(element[keyPath: id])", summary: problem, severity: .warning)
        }
    }

    /// Creates an array of elements that all have another id. Elements with repeated ids are dropped.
    public init<S: Sequence>(uncheckedUniqueElements elements: S, id: KeyPath<Element, ID>) where S.Element == Element {
        self.init(elements, id: id)
    }

    /// Creates an array from a sequence, and combines elements with the same id.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - id: The key path of an element's id.
    ///   - combine: Returns the element to keep, with the same id, for the one in the array and a new one.
    public init<S: Sequence>(
        _ elements: S, id: KeyPath<Element, ID>, uniquingIDsWith combine: (Element, Element) throws -> Element
    ) rethrows where S.Element == Element {
        self.init(id: id)
        for element in elements {
            let (inserted, position) = append(element)
            if !inserted { update(try combine(self[position], element), at: position) }
        }
    }

    /// Creates a copy of an array.
    public init(_ elements: IdentifiedArray) {
        self = elements
    }

    /// Creates an array of the elements of a slice.
    public init(_ elements: SubSequence) {
        self.init(uncheckedUniqueElements: elements, id: elements.base.id)
    }
}

extension IdentifiedArray where Element: Identifiable, ID == Element.ID {
    /// Creates an array from a sequence. Elements with repeated ids are dropped.
    public init<S: Sequence>(_ elements: S) where S.Element == Element {
        self.init(elements, id: \.id)
    }

    /// Creates an array of elements that all have another id. Elements with repeated ids are reported and dropped.
    public init<S: Sequence>(uniqueElements elements: S) where S.Element == Element {
        self.init(uniqueElements: elements, id: \.id)
    }

    /// Creates an array of elements that all have another id. Elements with repeated ids are dropped.
    public init<S: Sequence>(uncheckedUniqueElements elements: S) where S.Element == Element {
        self.init(uncheckedUniqueElements: elements, id: \.id)
    }

    /// Creates an array from a sequence, and combines elements with the same id.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - combine: Returns the element to keep, with the same id, for the one in the array and a new one.
    public init<S: Sequence>(_ elements: S, uniquingIDsWith combine: (Element, Element) throws -> Element) rethrows
    where S.Element == Element {
        try self.init(elements, id: \.id, uniquingIDsWith: combine)
    }
}
