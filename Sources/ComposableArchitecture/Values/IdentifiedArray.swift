/// Elements in an order, each of which is found by its id as fast as by its position.
///
/// No two elements have the same id: of elements with one id the first is kept. An element is changed in place, and an
/// action for one that has been removed finds nothing instead of its neighbour.
public struct IdentifiedArray<ID: Hashable, Element> {
    /// Where an element's id is.
    public let id: KeyPath<Element, ID>
    private var storage: [Element] = []
    private var positions: [ID: Int] = [:]

    /// Makes an array of a sequence.
    public init<S: Sequence>(_ elements: S, id: KeyPath<Element, ID>) where S.Element == Element {
        self.id = id
        for element in elements { append(element) }
    }

    /// Makes an empty array.
    public init(id: KeyPath<Element, ID>) {
        self.id = id
    }

    /// The ids, in the order of the elements.
    public var ids: [ID] { storage.map { $0[keyPath: id] } }

    /// The elements as an array.
    public var elements: [Element] { storage }

    /// The element with that id.
    ///
    /// Setting it replaces the element. It neither inserts nor removes one: setting nil, or an element whose id is not
    /// there, is reported and changes nothing. Insertions and removals say so.
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

    /// The position of the element with that id.
    public func index(id: ID) -> Int? {
        positions[id]
    }

    /// Changes the element with that id in place; nil if there is none.
    mutating func modify<Result>(id: ID, _ body: (inout Element) -> Result) -> Result? {
        guard let position = positions[id] else { return nil }
        defer { renew(position, former: id) }
        return body(&storage[position])
    }

    /// Puts an element at the end, unless its id is there already.
    ///
    /// - Returns: Whether it was put there, and the position of the element with its id.
    @discardableResult
    public mutating func append(_ element: Element) -> (inserted: Bool, index: Int) {
        insert(element, at: storage.endIndex)
    }

    /// Puts an element at a position, unless its id is there already.
    ///
    /// - Returns: Whether it was put there, and the position of the element with its id.
    @discardableResult
    public mutating func insert(_ newElement: Element, at index: Int) -> (inserted: Bool, index: Int) {
        let id = newElement[keyPath: id]
        if let position = positions[id] { return (false, position) }
        storage.insert(newElement, at: index)
        index == storage.count - 1 ? (positions[id] = index) : renumber(from: index)
        return (true, index)
    }

    /// Puts elements at a position, those whose ids are not there yet.
    public mutating func insert<C: Collection>(contentsOf newElements: C, at index: Int) where C.Element == Element {
        var index = index
        for element in newElements where insert(element, at: index).inserted { index += 1 }
    }

    /// Puts an element in the place of the one with its id, or at the end.
    @discardableResult
    public mutating func updateOrAppend(_ element: Element) -> Element? {
        guard let position = positions[element[keyPath: id]] else {
            append(element)
            return nil
        }
        defer { storage[position] = element }
        return storage[position]
    }

    /// Takes out the element with that id.
    @discardableResult
    public mutating func remove(id: ID) -> Element? {
        positions[id].map { remove(at: $0) }
    }

    /// Takes out the element at a position.
    @discardableResult
    public mutating func remove(at position: Int) -> Element {
        let element = storage.remove(at: position)
        positions[element[keyPath: id]] = nil
        renumber(from: position)
        return element
    }

    /// Takes out the elements that a predicate picks.
    public mutating func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
        try storage.removeAll(where: shouldBeRemoved)
        renumberAll()
    }

    /// Takes out all elements.
    public mutating func removeAll(keepingCapacity: Bool = false) {
        storage.removeAll(keepingCapacity: keepingCapacity)
        positions.removeAll(keepingCapacity: keepingCapacity)
    }

    /// Puts the elements in an order.
    public mutating func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
        try storage.sort(by: areInIncreasingOrder)
        renumberAll()
    }

    /// Puts the elements in a random order.
    public mutating func shuffle<T: RandomNumberGenerator>(using generator: inout T) {
        storage.shuffle(using: &generator)
        renumberAll()
    }

    /// Turns the order round.
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
        if unique.count < storage.count { storage = unique }
    }
}

/// An identified array of elements that say themselves what their id is.
public typealias IdentifiedArrayOf<Element: Identifiable> = IdentifiedArray<Element.ID, Element>

extension IdentifiedArray: RandomAccessCollection, MutableCollection {
    /// The position of the first element.
    public var startIndex: Int { storage.startIndex }
    /// The position behind the last element.
    public var endIndex: Int { storage.endIndex }

    /// The element at a position. One that is set takes the place of any other with its id.
    public subscript(position: Int) -> Element {
        get { storage[position] }
        _modify {
            let former = storage[position][keyPath: id]
            yield &storage[position]
            renew(position, former: former)
        }
    }

    /// Lets two elements change places.
    public mutating func swapAt(_ first: Int, _ second: Int) {
        storage.swapAt(first, second)
        renumberAll()
    }

    /// Puts the elements of a part in an order; the rest stays.
    public mutating func withContiguousMutableStorageIfAvailable<R>(
        _ body: (inout UnsafeMutableBufferPointer<Element>) throws -> R
    ) rethrows -> R? {
        defer { renumberAll() }
        return try storage.withContiguousMutableStorageIfAvailable(body)
    }
}

extension IdentifiedArray where Element: Comparable {
    /// Puts the elements in their order.
    public mutating func sort() {
        sort(by: <)
    }
}
