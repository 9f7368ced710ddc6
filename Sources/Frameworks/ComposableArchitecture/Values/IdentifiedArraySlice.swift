/// A part of an ``IdentifiedArray``, such as `array[1...]`.
///
/// It is changed like a plain array: algorithms such as sorting may place an element twice for a moment, which an array with unique
/// ids cannot. The ids matter when the slice is assigned to its array again.
public struct IdentifiedArraySlice<ID: Hashable, Element> {
    /// The array from which the slice was taken, without the changes of the slice.
    public let base: IdentifiedArray<ID, Element>
    private var storage: ArraySlice<Element>

    init(_ storage: ArraySlice<Element>, of base: IdentifiedArray<ID, Element>) {
        self.base = base
        self.storage = storage
    }

    /// The elements as a slice of a plain array.
    public var elements: ArraySlice<Element> { storage }

    /// Replaces a range of elements.
    public mutating func replaceSubrange<C: Collection>(_ range: Range<Int>, with newElements: C)
    where C.Element == Element {
        storage.replaceSubrange(range, with: newElements)
    }
}

extension IdentifiedArraySlice: RandomAccessCollection, MutableCollection {
    /// The position of the first element. It is the one in the array.
    public var startIndex: Int { storage.startIndex }
    /// The position after the last element.
    public var endIndex: Int { storage.endIndex }

    /// The element at a position.
    public subscript(position: Int) -> Element {
        get { storage[position] }
        _modify { yield &storage[position] }
    }

    /// The elements in a range of positions.
    public subscript(bounds: Range<Int>) -> IdentifiedArraySlice {
        get { IdentifiedArraySlice(storage[bounds], of: base) }
        set { storage[bounds] = newValue.storage }
    }

    /// Calls a closure with the contiguous storage.
    public mutating func withContiguousMutableStorageIfAvailable<R>(
        _ body: (inout UnsafeMutableBufferPointer<Element>) throws -> R
    ) rethrows -> R? {
        try storage.withContiguousMutableStorageIfAvailable(body)
    }
}

extension IdentifiedArraySlice: RangeReplaceableCollection where Element: Identifiable, ID == Element.ID {
    /// Creates an empty slice.
    public init() {
        self.init([], of: IdentifiedArray())
    }
}

extension IdentifiedArraySlice: Sendable where ID: Sendable, Element: Sendable {}
