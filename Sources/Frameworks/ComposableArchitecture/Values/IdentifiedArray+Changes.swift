extension IdentifiedArray {
    /// Appends an element, unless its id is in the array.
    ///
    /// - Returns: Whether the element was inserted, and the position of the element with its id.
    @discardableResult
    public mutating func append(_ element: Element) -> (inserted: Bool, index: Int) {
        insert(element, at: endIndex)
    }

    /// Appends the elements of a sequence whose ids are not in the array.
    public mutating func append<S: Sequence>(contentsOf newElements: S) where S.Element == Element {
        for element in newElements { append(element) }
    }

    /// Inserts elements at a position. A new element with the id of an element in the array replaces that one in its place.
    public mutating func insert<C: Collection>(contentsOf newElements: C, at index: Int) where C.Element == Element {
        replace(index..<index, with: newElements)
    }

    /// Replaces the element with the same id, or appends the element. Returns the replaced element.
    @discardableResult
    public mutating func updateOrAppend(_ element: Element) -> Element? {
        updateOrInsert(element, at: endIndex).originalMember
    }

    /// Replaces the element with the same id, or inserts the element at a position.
    ///
    /// - Returns: The replaced element, or nil, and the position of the element.
    @discardableResult
    public mutating func updateOrInsert(_ element: Element, at index: Int) -> (originalMember: Element?, index: Int) {
        let (inserted, position) = insert(element, at: index)
        return (inserted ? nil : update(element, at: position), position)
    }

    /// Removes the element with an id. Returns nil if the id is not in the array.
    @discardableResult
    public mutating func remove(id: ID) -> Element? {
        index(id: id).map { remove(at: $0) }
    }

    /// Removes the element with the id of the given one. Returns nil if the id is not in the array.
    @discardableResult
    public mutating func remove(_ element: Element) -> Element? {
        remove(id: element[keyPath: id])
    }

    /// Removes and returns the first element of an array that is not empty.
    @discardableResult
    public mutating func removeFirst() -> Element {
        remove(at: startIndex)
    }

    /// Removes a number of elements from the beginning.
    public mutating func removeFirst(_ count: Int) {
        removeSubrange(..<count)
    }

    /// Removes and returns the last element of an array that is not empty.
    @discardableResult
    public mutating func removeLast() -> Element {
        remove(at: endIndex - 1)
    }

    /// Removes a number of elements from the end.
    public mutating func removeLast(_ count: Int) {
        removeSubrange((endIndex - count)...)
    }

    /// Removes the elements in a range of positions.
    public mutating func removeSubrange(_ bounds: Range<Int>) {
        replace(bounds, with: EmptyCollection())
    }

    /// Removes the elements in a range of positions.
    public mutating func removeSubrange<R: RangeExpression>(_ bounds: R) where R.Bound == Int {
        removeSubrange(bounds.relative(to: self))
    }

    /// Returns an array of the elements that satisfy a predicate, in the same order.
    public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> IdentifiedArray {
        IdentifiedArray(uncheckedUniqueElements: try elements.filter(isIncluded), id: id)
    }
}
