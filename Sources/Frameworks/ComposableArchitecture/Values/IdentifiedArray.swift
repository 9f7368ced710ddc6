/// An ordered collection of elements with constant-time access by id and by position.
///
/// Ids are unique: of elements with the same id, the first is kept. Elements can be mutated in place by id, so an
/// action for an element that has been removed does not affect its neighbour.
public struct IdentifiedArray<ID: Hashable, Element> {
    /// The key path of an element's id.
    public let id: KeyPath<Element, ID>
    private var storage: [Element] = []
    private var names = OrderedIDs<ID>()

    /// Creates an array from a sequence. Elements with repeated ids are dropped.
    public init<S: Sequence>(_ elements: S, id: KeyPath<Element, ID>) where S.Element == Element {
        self.id = id
        storage = Array(elements)
        renumberAll()
    }

    /// Creates an empty array.
    public init(id: KeyPath<Element, ID>) {
        self.id = id
    }

    /// The ids, in the order of the elements. Takes constant time.
    public var ids: OrderedIDs<ID> { names }

    /// The elements as an array. Takes constant time.
    public var elements: [Element] { storage }

    /// The element with an id.
    ///
    /// Setting nil removes the element. Setting an element whose id is not in the array appends it. Setting an element with another
    /// id than that of the subscript is reported and ignored. If an element in the array is given another id in place, this is
    /// reported too; the element stays in its place.
    public subscript(id id: ID) -> Element? {
        get { names.firstIndex(of: id).map { storage[$0] } }
        set {
            guard let newValue else {
                remove(id: id)
                return
            }
            guard newValue[keyPath: self.id] == id else { return Self.report(id, became: newValue[keyPath: self.id]) }
            updateOrAppend(newValue)
        }
        _modify {
            let position = names.firstIndex(of: id)
            // Moved out, not copied: a copy would make the first write to each collection inside of the element copy that one.
            var element = position.map { takeElement(at: $0) }
            defer { returnElement(element, to: position, id: id) }
            yield &element
        }
    }

    private mutating func takeElement(at position: Int) -> Element {
        // The last element fills the gap, so that no others move.
        storage.swapAt(position, storage.count - 1)
        return storage.removeLast()
    }

    private mutating func returnElement(_ element: Element?, to position: Int?, id: ID) {
        guard let position else {
            if let element { self[id: id] = element }
            return
        }
        guard let element else {
            if position < storage.count { storage.append(storage.remove(at: position)) }
            return names.remove(at: position)
        }
        storage.append(element)
        storage.swapAt(position, storage.count - 1)
        let newID = element[keyPath: self.id]
        guard newID != id else { return }
        Self.report(id, became: newID)
        renew(position)
    }

    private static func report(_ id: ID, became newID: ID) {
        let change = "an element was given another id through [id:], which only sets elements with the id"
        Issues.report("\(change): expected \(id), got \(newID)", summary: change, severity: .warning)
    }

    /// Returns the position of the element with an id.
    public func index(id: ID) -> Int? {
        names.firstIndex(of: id)
    }

    /// Returns whether an element with the id of the given one is in the array.
    public func contains(_ element: Element) -> Bool {
        names.contains(element[keyPath: id])
    }

    /// Mutates the element with an id in place. Returns nil if the id is not in the array.
    mutating func modify<Result>(id: ID, _ body: (inout Element) -> Result) -> Result? {
        guard let position = names.firstIndex(of: id) else { return nil }
        defer { renew(position) }
        return body(&storage[position])
    }

    /// Inserts an element at a position, unless its id is in the array.
    ///
    /// - Returns: Whether the element was inserted, and the position of the element with its id.
    @discardableResult
    public mutating func insert(_ newElement: Element, at index: Int) -> (inserted: Bool, index: Int) {
        let id = newElement[keyPath: id]
        if let position = names.firstIndex(of: id) { return (false, position) }
        storage.insert(newElement, at: index)
        names.insert(id, at: index)
        return (true, index)
    }

    /// Replaces the element at a position with one that has the same id. An element with another id is reported and ignored.
    ///
    /// - Returns: The element that was at the position.
    @discardableResult
    public mutating func update(_ element: Element, at index: Int) -> Element {
        let former = storage[index]
        if element[keyPath: id] == names[index] {
            storage[index] = element
        } else {
            let change = "an element was updated with one that has another id"
            Issues.report(
                "\(change): expected \(names[index]), got \(element[keyPath: id])", summary: change, severity: .warning)
        }
        return former
    }

    /// Replaces a range of elements, and the elements outside of it that have an id of a new one.
    mutating func replace<C: Collection>(_ range: Range<Int>, with newElements: C) where C.Element == Element {
        // The elements to insert, the last one first, and their places in this array.
        var inserted: [Element] = [], places: [ID: Int] = [:], ids: [ID] = []
        for element in newElements.reversed() {
            let id = element[keyPath: id]
            if let position = names.firstIndex(of: id), !range.contains(position) {
                storage[position] = element
            } else if let place = places[id] {
                inserted[place] = element
            } else {
                places[id] = inserted.count
                inserted.append(element)
                ids.append(id)
            }
        }
        storage.replaceSubrange(range, with: inserted.reversed())
        names.replace(range, with: ids.reversed())
    }

    /// Removes the element at a position.
    @discardableResult
    public mutating func remove(at position: Int) -> Element {
        names.remove(at: position)
        return storage.remove(at: position)
    }

    /// Removes the elements that satisfy a predicate.
    public mutating func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
        // Also if the predicate throws, because elements may have moved.
        defer { renumberAll() }
        try storage.removeAll(where: shouldBeRemoved)
    }

    /// Removes all elements.
    public mutating func removeAll(keepingCapacity: Bool = false) {
        storage.removeAll(keepingCapacity: keepingCapacity)
        names.removeAll(keepingCapacity: keepingCapacity)
    }

    /// Reserves memory for a number of elements.
    public mutating func reserveCapacity(_ minimumCapacity: Int) {
        storage.reserveCapacity(minimumCapacity)
        names.reserveCapacity(minimumCapacity)
    }

    /// Sorts the elements with a comparison.
    public mutating func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
        defer { renumberAll() }
        try storage.sort(by: areInIncreasingOrder)
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

    /// Reads the id of the element at a position again.
    private mutating func renew(_ position: Int) {
        let id = storage[position][keyPath: id]
        guard names[position] != id else { return }
        names.contains(id) ? renumberAll() : names.replace(at: position, with: id)
    }

    /// Reads all ids again, and drops elements with repeated ids.
    private mutating func renumberAll() {
        names.removeAll(keepingCapacity: true)
        names.reserveCapacity(storage.count)
        var kept = 0
        for position in storage.indices where names.append(storage[position][keyPath: id]) {
            if kept < position { storage.swapAt(kept, position) }
            kept += 1
        }
        if kept < storage.count { storage.removeSubrange(kept...) }
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
            defer { renew(position) }
            yield &storage[position]
        }
    }

    /// The elements in a range of positions. If the id of an element that is set equals that of another one, the later of the two is
    /// removed.
    public subscript(bounds: Range<Int>) -> IdentifiedArraySlice<ID, Element> {
        get { IdentifiedArraySlice(storage[bounds], of: self) }
        set {
            storage.replaceSubrange(bounds, with: newValue.elements)
            renumberAll()
        }
    }

    /// Swaps two elements.
    public mutating func swapAt(_ first: Int, _ second: Int) {
        storage.swapAt(first, second)
        names.swapAt(first, second)
    }

    /// Calls a closure with the contiguous storage. Used by algorithms of the standard library, such as
    /// partitioning.
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
