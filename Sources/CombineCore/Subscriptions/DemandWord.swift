public import Synchronization

/// What is still to be delivered over one link, in one atomic word, along with whether the link has ended.
@usableFromInline
@frozen
struct DemandWord: ~Copyable {
    /// The outstanding demand; `unlimited` when there is no limit, `ended` for good when the link is over.
    @usableFromInline let word: Atomic<Int>

    @inlinable static var unlimited: Int { Int.max }
    @inlinable static var ended: Int { -1 }

    @inlinable
    init() {
        word = Atomic(0)
    }

    /// The outstanding demand as it is at this moment, or `ended`.
    @inlinable var current: Int {
        borrowing get { word.load(ordering: .sequentiallyConsistent) }
    }

    @inlinable var isEnded: Bool {
        borrowing get { current < 0 }
    }

    /// Adds to the outstanding demand.
    ///
    /// - Returns: The demand before; nothing is added to `unlimited` and `ended`.
    @inlinable
    @discardableResult
    borrowing func add(_ demand: Subscribers.Demand) -> Int {
        var found = word.load(ordering: .sequentiallyConsistent)
        while true {
            if found < 0 || found == DemandWord.unlimited || demand.rawValue == 0 { return found }
            let sum = UInt(found) + demand.rawValue
            let desired = sum >= UInt(DemandWord.unlimited) ? DemandWord.unlimited : Int(sum)
            let (exchanged, original) = word.compareExchange(
                expected: found, desired: desired, ordering: .sequentiallyConsistent)
            if exchanged { return found }
            found = original
        }
    }

    /// Takes one value's worth out of the demand.
    ///
    /// - Returns: Whether there was any.
    @inlinable
    borrowing func take() -> Bool {
        var found = word.load(ordering: .sequentiallyConsistent)
        while true {
            if found == DemandWord.unlimited { return true }
            if found <= 0 { return false }
            let (exchanged, original) = word.compareExchange(
                expected: found, desired: found - 1, ordering: .sequentiallyConsistent)
            if exchanged { return true }
            found = original
        }
    }

    /// Settles a delivery that was made *before* it was accounted for: minus one, plus `more`.
    ///
    /// - Returns: The demand afterwards, or `ended`.
    @inlinable
    borrowing func finishDelivery(adding more: Subscribers.Demand) -> Int {
        var found = word.load(ordering: .sequentiallyConsistent)
        while true {
            if found <= 0 || found == DemandWord.unlimited { return found }
            let sum = UInt(found - 1) + more.rawValue
            let desired = sum >= UInt(DemandWord.unlimited) ? DemandWord.unlimited : Int(sum)
            let (exchanged, original) = word.compareExchange(
                expected: found, desired: desired, ordering: .sequentiallyConsistent)
            if exchanged { return desired }
            found = original
        }
    }

    /// Ends the link.
    ///
    /// - Returns: Whether it was this call that ended it.
    @inlinable
    borrowing func end() -> Bool {
        word.exchange(DemandWord.ended, ordering: .sequentiallyConsistent) != DemandWord.ended
    }
}

extension Subscribers.Demand {
    /// The demand that a ``DemandWord`` holds as `count`; none if the link has ended.
    @inlinable
    init(outstanding count: Int) {
        self = count == DemandWord.unlimited ? .unlimited : count < 0 ? .none : .max(count)
    }

    /// Traps for a demand of zero, which sources that deliver on request do not accept.
    @inlinable
    func requirePositive() {
        precondition(rawValue > 0, "A request must ask for at least one value.")
    }
}
