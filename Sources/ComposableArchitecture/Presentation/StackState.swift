/// What an element of a ``StackState`` is known by: a number that no other element of the stack has had.
public struct StackElementID: Hashable, Sendable, Codable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    /// The number.
    public let number: Int

    /// The element that was the `value`th to be put on its stack, from 0 on.
    public init(integerLiteral value: Int) {
        number = value
    }

    init(number: Int) {
        self.number = number
    }

    /// Reads a number.
    public init(from decoder: any Decoder) throws {
        number = try decoder.singleValueContainer().decode(Int.self)
    }

    /// Writes a number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }

    /// The number, as in `#0`.
    public var description: String { "#\(number)" }
}

/// The states of features that lie on one another: a path that is gone down and back.
public struct StackState<Element> {
    private var storage: [Identified<StackElementID, Element>] = []
    private var nextNumber = 0

    /// An empty stack.
    public init() {}

    /// A stack of elements, the lowest first.
    public init<S: Sequence>(_ elements: S) where S.Element == Element {
        for element in elements { append(element) }
    }

    /// The ids of the elements, the lowest first.
    public var ids: [StackElementID] { storage.map(\.id) }

    /// The element with that id. Setting it to nil takes it off, with those above it; an id that is not there changes
    /// nothing.
    public subscript(id id: StackElementID) -> Element? {
        get { storage.first { $0.id == id }?.value }
        set {
            guard let index = storage.firstIndex(where: { $0.id == id }) else { return }
            if let newValue {
                storage[index].value = newValue
            } else {
                storage.removeSubrange(index...)
            }
        }
    }

    /// Puts an element on top.
    ///
    /// - Returns: Its id.
    @discardableResult
    public mutating func append(_ element: Element) -> StackElementID {
        let id = StackElementID(number: nextNumber)
        nextNumber += 1
        storage.append(Identified(element, id: id))
        return id
    }

    /// Puts an element on top that its sender has named already; false if the id has been used.
    mutating func push(_ element: Element, id: StackElementID) -> Bool {
        guard id.number >= nextNumber else { return false }
        nextNumber = id.number + 1
        storage.append(Identified(element, id: id))
        return true
    }

    /// Takes the top element off.
    @discardableResult
    public mutating func popLast() -> Element? {
        storage.popLast()?.value
    }

    /// Takes an element off, and those above it.
    public mutating func pop(from id: StackElementID) {
        self[id: id] = nil
    }

    /// Takes off what lies above an element.
    public mutating func pop(to id: StackElementID) {
        guard let index = storage.firstIndex(where: { $0.id == id }) else { return }
        storage.removeSubrange((index + 1)...)
    }

    /// Takes all elements off.
    public mutating func removeAll() {
        storage.removeAll()
    }

    /// Changes an element in place; nil if it is not there.
    mutating func modify<Result>(id: StackElementID, _ body: (inout Element) -> Result) -> Result? {
        storage.firstIndex { $0.id == id }.map { body(&storage[$0].value) }
    }
}

extension StackState: RandomAccessCollection, MutableCollection {
    /// Where the lowest element is.
    public var startIndex: Int { storage.startIndex }
    /// The place above the top element.
    public var endIndex: Int { storage.endIndex }

    /// The element at a place.
    public subscript(position: Int) -> Element {
        get { storage[position].value }
        set { storage[position].value = newValue }
    }
}

extension StackState: ExpressibleByArrayLiteral {
    /// A stack of the elements that are listed, the lowest first.
    public init(arrayLiteral elements: Element...) {
        self.init(elements)
    }
}

extension StackState: Equatable where Element: Equatable {
    /// Whether the same elements lie on both, under the same ids.
    public static func == (lhs: StackState, rhs: StackState) -> Bool {
        lhs.storage == rhs.storage
    }
}

extension StackState: Sendable where Element: Sendable {}

extension StackState: Encodable where Element: Encodable {
    /// Writes the elements with their ids, the lowest first.
    public func encode(to encoder: any Encoder) throws {
        try storage.encode(to: encoder)
    }
}

extension StackState: CustomReflectable {
    /// The elements by their ids.
    public var customMirror: Mirror {
        Mirror(self, children: storage.map { ("\($0.id)", $0.value) }, displayStyle: .struct)
    }
}

/// What can happen to a stack and to its elements.
public enum StackAction<State, Action> {
    /// Something happens to an element.
    case element(id: StackElementID, action: Action)
    /// An element goes, with those above it.
    case popFrom(id: StackElementID)
    /// An element is put on top.
    case push(id: StackElementID, state: State)
}

extension StackAction: Equatable where State: Equatable, Action: Equatable {}
extension StackAction: Sendable where State: Sendable, Action: Sendable {}
