/// A member of a ``SlotList`` that remembers where it stands in it.
@usableFromInline
protocol SlotElement: AnyObject {
    /// The position in the list, kept by the list.
    var slot: Int { get set }
}

/// Objects in the order in which they came, with removal in constant time.
///
/// One member lies in the list itself; from the second on there is an array. A snapshot of the array stays as it is
/// while the list changes.
@usableFromInline
@frozen
struct SlotList<Element: SlotElement> {
    /// The only member, unless `many` is in use.
    @usableFromInline var only: Element?
    /// Members and the gaps that removed ones left; empty while `only` is in use.
    @usableFromInline var many: ContiguousArray<Element?>
    @usableFromInline var count: Int

    @inlinable
    init() {
        only = nil
        many = []
        count = 0
    }

    @inlinable
    mutating func append(_ element: Element) {
        count += 1
        if count == 1, many.isEmpty {
            only = element
            element.slot = 0
            return
        }
        if let first = only {
            many = [first]
            only = nil
        }
        element.slot = many.count
        many.append(element)
    }

    /// Takes `element` out, if it is in.
    ///
    /// - Returns: The reference that the list held, to be dropped when no lock is held.
    @inlinable
    mutating func remove(_ element: Element) -> Element? {
        if let first = only {
            guard first === element else { return nil }
            only = nil
            count = 0
            return first
        }
        let slot = element.slot
        guard slot < many.count, let found = many[slot], found === element else { return nil }
        many[slot] = nil
        count -= 1
        if count == 0 {
            many = []
        } else if many.count > 8, count * 2 < many.count {
            compact()
        }
        return found
    }

    /// Closes the gaps.
    @usableFromInline
    mutating func compact() {
        var compacted = ContiguousArray<Element?>()
        compacted.reserveCapacity(count)
        for case let element? in many {
            element.slot = compacted.count
            compacted.append(element)
        }
        many = compacted
    }

    /// Takes everything out.
    @inlinable
    mutating func takeAll() -> SlotList {
        let taken = self
        self = SlotList()
        return taken
    }

    @inlinable
    func forEach(_ body: (Element) -> Void) {
        if let only {
            body(only)
        }
        for case let element? in many {
            body(element)
        }
    }

    /// The oldest member that fits.
    @inlinable
    func first(where predicate: (Element) -> Bool) -> Element? {
        if let only { return predicate(only) ? only : nil }
        for case let element? in many where predicate(element) {
            return element
        }
        return nil
    }
}
