/// An ordered collection of elements with constant-time access by id and by position.
///
/// Ids are unique: of elements with the same id, the first is kept. Elements can be mutated in place by id, so an
/// action for an element that has been removed does not affect its neighbour.
public struct IdentifiedArray<ID: Hashable, Element> {
    /// The key path of an element's id.
    public let id: KeyPath<Element, ID>
    private var storage: [Element] = []
    private var positions: [ID: Int] = [:]

    /// Creates an array from a sequence. Elements with repeated ids are dropped.
    public init<S: Sequence>(_ elements: S, id: KeyPath<Element, ID>) where S.Element == Element {
        self.id = id
        for element in elements { append(element) }
    }

    /// Creates an empty array.
    public init(id: KeyPath<Element, ID>) {
        self.id = id
    }

    /// The ids, in the order of the elements.
    public var ids: [ID] { storage.map { $0[keyPath: id] } }

    /// The elements as an array.
    public var elements: [Element] { storage }

    /// The element with an id.
    ///
    /// Setting it replaces the element. It neither inserts nor removes: setting nil, or an element whose id is not in
    /// the array, is reported and has no effect. Use the methods for insertion and removal.
    public subscript(id id: ID) -> Element? {
        get { positions[id].map { storage[$0] } }
        set {
            guard let newValue, newValue[keyPath: self.id] == id, let position = positions[id] else {
                let change = "was \(newValue == nil ? "removed" : "inserted") through [id:], which only replaces"
                Issues.report(
                    "an element with id \(id) \(change)", summary: "an element \(change)", severity: .warning)
                return
            }
            storage[position] = newValue
        }
    }

    /// Returns the position of the element with an id.
    public func index(id: ID) -> Int? {
        positions[id]
    }

    /// Mutates the element with an id in place. Returns nil if the id is not in the array.
    mutating func modify<Result>(id: ID, _ body: (inout Element) -> Result) -> Result? {
        guard let position = positions[id] else { return nil }
        defer { renew(position, former: id) }
        return body(&storage[position])
    }

    /// Appends an element, unless its id is in the array.
    ///
    /// - Returns: Whether the element was inserted, and the position of the element with its id.
    @discardableResult
    public mutating func append(_ element: Element) -> (inserted: Bool, index: Int) {
        insert(element, at: storage.endIndex)
    }

    /// Inserts an element at a position, unless its id is in the array.
    ///
    /// - Returns: Whether the element was inserted, and the position of the element with its id.
    @discardableResult
    public mutating func insert(_ newElement: Element, at index: Int) -> (inserted: Bool, index: Int) {
        let id = newElement[keyPath: id]
        if let position = positions[id] { return (false, position) }
        storage.insert(newElement, at: index)
        index == storage.count - 1 ? (positions[id] = index) : renumber(from: index)
        return (true, index)
    }

    /// Inserts the elements whose ids are not in the array at a position.
    public mutating func insert<C: Collection>(contentsOf newElements: C, at index: Int) where C.Element == Element {
        var index = index
        for element in newElements where insert(element, at: index).inserted { index += 1 }
    }

    /// Replaces the element with the same id, or appends the element. Returns the replaced element.
    @discardableResult
    public mutating func updateOrAppend(_ element: Element) -> Element? {
        guard let position = positions[element[keyPath: id]] else {
            append(element)
            return nil
        }
        defer { storage[position] = element }
        return storage[position]
    }

    /// Replaces a range of elements, and the elements outside of it that have an id of a new one.
    mutating func replace<C: Collection>(_ range: Range<Int>, with newElements: C) where C.Element == Element {
        for element in storage[range] { positions[element[keyPath: id]] = nil }
        // The elements to insert, the last one first, and their places in this array.
        var inserted: [Element] = [], places: [ID: Int] = [:]
        for element in newElements.reversed() {
            let id = element[keyPath: id]
            if let position = positions[id] {
                storage[position] = element
            } else if let place = places[id] {
                inserted[place] = element
            } else {
                places[id] = inserted.count
                inserted.append(element)
            }
        }
        storage.replaceSubrange(range, with: inserted.reversed())
        renumber(from: range.lowerBound)
    }

    /// Removes the element with an id.
    @discardableResult
    public mutating func remove(id: ID) -> Element? {
        positions[id].map { remove(at: $0) }
    }

    /// Removes the element at a position.
    @discardableResult
    public mutating func remove(at position: Int) -> Element {
        let element = storage.remove(at: position)
        positions[element[keyPath: id]] = nil
        renumber(from: position)
        return element
    }

    /// Removes the elements that satisfy a predicate.
    public mutating func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
        try storage.removeAll(where: shouldBeRemoved)
        renumberAll()
    }

    /// Removes all elements.
    public mutating func removeAll(keepingCapacity: Bool = false) {
        storage.removeAll(keepingCapacity: keepingCapacity)
        positions.removeAll(keepingCapacity: keepingCapacity)
    }

    /// Sorts the elements with a comparison.
    public mutating func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
        try storage.sort(by: areInIncreasingOrder)
        renumberAll()
    }

    /// Shuffles the elements.
    public mutating func shuffle<T: RandomNumberGenerator>(using generator: inout T) {
        storage.shuffle(using: &generator)
        renumberAll()
    }

    /// Reverses the elements.
    public mutating func reverse() {
        storage.reverse()
        renumberAll()
    }

    private mutating func renew(_ position: Int, former id: ID) {
        let newID = storage[position][keyPath: self.id]
        guard newID != id else { return }
        renumberAll()
    }

    private mutating func renumber(from start: Int) {
        for position in start..<storage.count { positions[storage[position][keyPath: id]] = position }
    }

    private mutating func renumberAll() {
        positions.removeAll(keepingCapacity: true)
        var unique: [Element] = []
        unique.reserveCapacity(storage.count)
        for element in storage where positions[element[keyPath: id]] == nil {
            positions[element[keyPath: id]] = unique.count
            unique.append(element)
        }
        // Only if an id was repeated: assigning would give up the storage and its capacity.
        if unique.count < storage.count { storage = unique }
    }
}

/// An identified array of `Identifiable` elements.
public typealias IdentifiedArrayOf<Element: Identifiable> = IdentifiedArray<Element.ID, Element>

extension IdentifiedArray: RandomAccessCollection, MutableCollection {
    /// The position of the first element.
    public var startIndex: Int { storage.startIndex }
    /// The position after the last element.
    public var endIndex: Int { storage.endIndex }

    /// The element at a position. If a new element's id equals that of another element, the later of the two is
    /// removed.
    public subscript(position: Int) -> Element {
        get { storage[position] }
        _modify {
            let former = storage[position][keyPath: id]
            yield &storage[position]
            renew(position, former: former)
        }
    }

    /// Swaps two elements.
    public mutating func swapAt(_ first: Int, _ second: Int) {
        storage.swapAt(first, second)
        renumberAll()
    }

    /// Calls a closure with the contiguous storage. Used by algorithms of the standard library, such as sorting a
    /// slice.
    public mutating func withContiguousMutableStorageIfAvailable<R>(
        _ body: (inout UnsafeMutableBufferPointer<Element>) throws -> R
    ) rethrows -> R? {
        defer { renumberAll() }
        return try storage.withContiguousMutableStorageIfAvailable(body)
    }
}

extension IdentifiedArray where Element: Comparable {
    /// Sorts the elements.
    public mutating func sort() {
        sort(by: <)
    }
}
