/// A member of a ``SlotList`` that stores its position in the list.
@usableFromInline
protocol SlotElement: AnyObject {
    /// The position in the list; the list sets it.
    var slot: Int { get set }
}

/// A list of objects in insertion order, with removal in constant time.
///
/// A single member is stored in the list itself; from the second one on, an array is allocated. A snapshot of the array
/// does not change while the list does.
@usableFromInline
struct SlotList<Element: SlotElement> {
    /// The only member, unless `many` is in use.
    // Most subjects have one subscriber, which then costs no array and no snapshot for each value.
    @usableFromInline var only: Element?
    /// The members and the gaps of removed ones; empty while `only` is in use.
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

    /// Removes `element`, if it is a member.
    ///
    /// - Returns: The reference that the list held. Release it when no lock is held: its `deinit` may run foreign code.
    @inlinable
    mutating func remove(_ element: Element) -> Element? {
        if let first = only {
            guard first === element else { return nil }
            only = nil
            count = 0
            return first
        }
        let slot = element.slot
        // A slot can be out of date after `takeAll()`, so the identity decides.
        guard slot < many.count, let found = many[slot], found === element else { return nil }
        many[slot] = nil
        count -= 1
        // Gaps remain so that the slots of other members stay valid; they are closed once they outnumber the members.
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

    /// Removes and returns all members.
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
}
