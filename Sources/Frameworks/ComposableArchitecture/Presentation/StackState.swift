import JSONText

/// The identity of an element of a ``StackState``. A stack never reuses an id by itself.
public struct StackElementID: Hashable, Sendable, Codable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    /// The number, counted from 0.
    public let number: Int

    /// Creates the id of the element that was appended to its stack at position `value`, counted from 0.
    public init(integerLiteral value: Int) {
        number = value
    }

    init(number: Int) {
        self.number = number
    }

    /// Decodes a number.
    public init(from decoder: any Decoder) throws {
        number = try decoder.singleValueContainer().decode(Int.self)
    }

    /// Encodes a number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }

    /// The number with a prefix, such as `#0`.
    public var description: String { "#\(number)" }
}

/// A stack of feature states, for navigation.
public struct StackState<Element> {
    private var storage: [Identified<StackElementID, Element>] = []
    private var nextNumber = 0

    /// Creates an empty stack.
    public init() {}

    /// Creates a stack of elements, from bottom to top.
    public init<S: Sequence>(_ elements: S) where S.Element == Element {
        for element in elements { append(element) }
    }

    /// The ids of the elements, from bottom to top.
    public var ids: [StackElementID] { storage.map(\.id) }

    func contains(id: StackElementID) -> Bool {
        storage.contains { $0.id == id }
    }

    /// The element with an id. Setting it to nil removes it, and keeps the elements above it. Setting a new element is
    /// reported and ignored, except in the steps of a test, which state that an element has been pushed.
    public subscript(id id: StackElementID) -> Element? {
        get { storage.first { $0.id == id }?.value }
        set {
            guard let index = storage.firstIndex(where: { $0.id == id }) else {
                if let newValue { place(newValue, id: id) }
                return
            }
            if let newValue {
                storage[index].value = newValue
            } else {
                storage.remove(at: index)
            }
        }
    }

    private mutating func place(_ element: Element, id: StackElementID) {
        if SharedExpectation.current != nil { return push(element, id: id) }
        Issues.report(
            "expected the id of an element on the stack, got \(id): append a new element",
            summary: "expected the id of an element on the stack: append a new element", severity: .warning)
    }

    /// Pushes an element.
    ///
    /// - Returns: The id of the element.
    @discardableResult
    public mutating func append(_ element: Element) -> StackElementID {
        let id = newID()
        storage.append(Identified(element, id: id))
        return id
    }

    private mutating func newID() -> StackElementID {
        // A sender can have chosen a number that the stack would have reached.
        while contains(id: StackElementID(number: nextNumber)) { nextNumber &+= 1 }
        defer { nextNumber &+= 1 }
        return StackElementID(number: nextNumber)
    }

    /// Pushes an element with an id that the sender chose and that no element has.
    mutating func push(_ element: Element, id: StackElementID) {
        nextNumber = Self.next(nextNumber, after: [id])
        storage.append(Identified(element, id: id))
    }

    /// Returns the first number from another one on that follows those of all ids.
    private static func next(_ number: Int = 0, after ids: [StackElementID]) -> Int {
        // A number that the stack never reaches by itself cannot collide. The sender may be a client.
        ids.reduce(number) { $1.number < Int.max / 2 ? Swift.max($0, $1.number + 1) : $0 }
    }

    /// Removes and returns the top element.
    @discardableResult
    public mutating func popLast() -> Element? {
        storage.popLast()?.value
    }

    /// Removes an element and all elements above it.
    public mutating func pop(from id: StackElementID) {
        guard let index = storage.firstIndex(where: { $0.id == id }) else { return }
        storage.removeSubrange(index...)
    }

    /// Removes all elements above an element.
    public mutating func pop(to id: StackElementID) {
        guard let index = storage.firstIndex(where: { $0.id == id }) else { return }
        storage.removeSubrange((index + 1)...)
    }

    /// Removes all elements. Their ids are not used again.
    public mutating func removeAll(keepingCapacity keepsCapacity: Bool = false) {
        storage.removeAll(keepingCapacity: keepsCapacity)
    }

    /// Removes the elements that satisfy a predicate. The others keep their ids.
    public mutating func removeAll(where isRemoved: (Element) throws -> Bool) rethrows {
        // The default implementation moves elements to other places, and so to other ids.
        storage = try storage.filter { try !isRemoved($0.value) }
    }

    /// Mutates an element in place. Returns nil if the id does not exist.
    mutating func modify<Result>(id: StackElementID, _ body: (inout Element) -> Result) -> Result? {
        storage.firstIndex { $0.id == id }.map { body(&storage[$0].value) }
    }
}

extension StackState: RandomAccessCollection, MutableCollection {
    /// The position of the bottom element.
    public var startIndex: Int { storage.startIndex }
    /// The position after the top element.
    public var endIndex: Int { storage.endIndex }

    /// The element at a position.
    public subscript(position: Int) -> Element {
        get { storage[position].value }
        set { storage[position].value = newValue }
    }
}

extension StackState: RangeReplaceableCollection {
    /// Replaces elements. The new ones get new ids.
    public mutating func replaceSubrange<C: Collection>(_ range: Range<Int>, with elements: C)
    where C.Element == Element {
        var added: [Identified<StackElementID, Element>] = []
        for element in elements { added.append(Identified(element, id: newID())) }
        storage.replaceSubrange(range, with: added)
    }
}

extension StackState: ExpressibleByArrayLiteral {
    /// Creates a stack of the listed elements, from bottom to top.
    public init(arrayLiteral elements: Element...) {
        self.init(elements)
    }
}

extension StackState: Equatable where Element: Equatable {
    /// Returns whether both stacks have equal elements with equal ids.
    public static func == (lhs: StackState, rhs: StackState) -> Bool {
        lhs.storage == rhs.storage
    }
}

extension StackState: Hashable where Element: Hashable {
    /// Hashes the elements and their ids.
    public func hash(into hasher: inout Hasher) {
        for element in storage {
            hasher.combine(element.id)
            hasher.combine(element.value)
        }
    }
}

extension StackState: Sendable where Element: Sendable {}

extension StackState: Encodable where Element: Encodable {
    /// Encodes the elements with their ids, from bottom to top.
    public func encode(to encoder: any Encoder) throws {
        guard StoredForm.isRequested(by: encoder.userInfo), nextNumber != Self.next(after: storage.map(\.id)) else {
            return try storage.encode(to: encoder)
        }
        var container = encoder.container(keyedBy: StoredKey.self)
        try container.encode(storage, forKey: .storage)
        try container.encode(nextNumber, forKey: .nextNumber)
    }
}

extension StackState {
    /// The members of a stored stack whose next number does not follow from its elements.
    private enum StoredKey: CodingKey {
        case storage, nextNumber
    }
}

extension StackState: Decodable where Element: Decodable {
    /// Decodes elements with their ids, from bottom to top, or elements alone, which get new ids.
    ///
    /// - Throws: `DecodingError` if the elements have another form, or if two of them have the same id.
    public init(from decoder: any Decoder) throws {
        self.init()
        if StoredForm.isRequested(by: decoder.userInfo),
            let container = try? decoder.container(keyedBy: StoredKey.self)
        {
            try push(container.decode([Identified<StackElementID, Element>].self, forKey: .storage), from: decoder)
            nextNumber = try container.decode(Int.self, forKey: .nextNumber)
            return
        }
        do {
            try push([Identified<StackElementID, Element>](from: decoder), from: decoder)
        } catch {
            guard let elements = try? [Element](from: decoder) else { throw error }
            self.init(elements)
        }
    }

    private mutating func push(_ elements: [Identified<StackElementID, Element>], from decoder: any Decoder) throws {
        for element in elements {
            guard !contains(id: element.id) else {
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(
                        codingPath: decoder.codingPath,
                        debugDescription: "Expected elements with different ids, got \(element.id) twice."))
            }
            push(element.value, id: element.id)
        }
    }
}

extension StackState: CustomReflectable {
    /// A mirror with the elements as children, labelled by id.
    public var customMirror: Mirror {
        Mirror(self, children: storage.map { ("\($0.id)", $0.value) }, displayStyle: .struct)
    }
}

/// An action of a stack or of one of its elements.
public enum StackAction<State, Action> {
    /// An action of an element's feature.
    case element(id: StackElementID, action: Action)
    /// Pops an element and all elements above it.
    case popFrom(id: StackElementID)
    /// Pushes an element.
    case push(id: StackElementID, state: State)
}

extension StackAction: Equatable where State: Equatable, Action: Equatable {}
extension StackAction: Hashable where State: Hashable, Action: Hashable {}
extension StackAction: Sendable where State: Sendable, Action: Sendable {}
