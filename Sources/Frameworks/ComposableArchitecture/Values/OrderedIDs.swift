/// The ids of an ``IdentifiedArray``, each of them once, in the order of the elements.
///
/// Looking for an id takes constant time.
public struct OrderedIDs<ID: Hashable> {
    private var order: [ID] = []
    private var positions: [ID: Int] = [:]

    /// Creates an empty collection.
    public init() {}

    /// Creates a collection of the ids of a sequence. Repeated ids are dropped.
    public init<S: Sequence>(_ ids: S) where S.Element == ID {
        for id in ids { append(id) }
    }

    /// The ids as an array.
    public var elements: [ID] { order }

    /// Returns whether an id is in the collection.
    public func contains(_ id: ID) -> Bool {
        positions[id] != nil
    }

    /// Returns the position of an id; nil if it is not in the collection.
    public func firstIndex(of id: ID) -> Int? {
        positions[id]
    }

    /// Returns the position of an id; nil if it is not in the collection.
    public func lastIndex(of id: ID) -> Int? {
        positions[id]
    }

    /// Appends an id. Returns false if it is in the collection.
    @discardableResult
    mutating func append(_ id: ID) -> Bool {
        guard positions[id] == nil else { return false }
        positions[id] = order.count
        order.append(id)
        return true
    }

    /// Inserts an id that is not in the collection.
    mutating func insert(_ id: ID, at position: Int) {
        order.insert(id, at: position)
        renumber(from: position)
    }

    /// Replaces the id at a position with one that is not in the collection.
    mutating func replace(at position: Int, with id: ID) {
        positions[order[position]] = nil
        positions[id] = position
        order[position] = id
    }

    /// Replaces a range of ids with ids that are not in the rest of the collection and differ from each other.
    mutating func replace<C: Collection>(_ range: Range<Int>, with ids: C) where C.Element == ID {
        for id in order[range] { positions[id] = nil }
        order.replaceSubrange(range, with: ids)
        renumber(from: range.lowerBound)
    }

    mutating func remove(at position: Int) {
        positions[order.remove(at: position)] = nil
        renumber(from: position)
    }

    mutating func removeAll(keepingCapacity: Bool) {
        order.removeAll(keepingCapacity: keepingCapacity)
        positions.removeAll(keepingCapacity: keepingCapacity)
    }

    mutating func swapAt(_ first: Int, _ second: Int) {
        order.swapAt(first, second)
        positions[order[first]] = first
        positions[order[second]] = second
    }

    mutating func reserveCapacity(_ capacity: Int) {
        order.reserveCapacity(capacity)
        positions.reserveCapacity(capacity)
    }

    private mutating func renumber(from start: Int) {
        for position in start..<order.count { positions[order[position]] = position }
    }
}

extension OrderedIDs: RandomAccessCollection {
    /// The position of the first id.
    public var startIndex: Int { order.startIndex }
    /// The position after the last id.
    public var endIndex: Int { order.endIndex }

    /// The id at a position.
    public subscript(position: Int) -> ID { order[position] }

    /// Returns whether an id is in the collection, for generic code.
    public func _customContainsEquatableElement(_ element: ID) -> Bool? {
        contains(element)
    }

    /// Returns the position of an id, for generic code.
    public func _customIndexOfEquatableElement(_ element: ID) -> Int?? {
        .some(firstIndex(of: element))
    }
}

extension OrderedIDs: ExpressibleByArrayLiteral {
    /// Creates a collection of the listed ids.
    public init(arrayLiteral ids: ID...) {
        self.init(ids)
    }
}

extension OrderedIDs: Hashable {
    /// Returns whether both collections hold the same ids in the same order.
    public static func == (lhs: OrderedIDs, rhs: OrderedIDs) -> Bool {
        lhs.order == rhs.order
    }

    /// Hashes the ids.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(order)
    }
}

extension OrderedIDs: Sendable where ID: Sendable {}

extension OrderedIDs: Encodable where ID: Encodable {
    /// Encodes the ids as an array.
    public func encode(to encoder: any Encoder) throws {
        try order.encode(to: encoder)
    }
}

extension OrderedIDs: CustomStringConvertible, CustomReflectable {
    /// The output of an array of the ids.
    public var description: String { order.description }

    /// The output of an array of the ids.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: order, displayStyle: .collection) }
}
