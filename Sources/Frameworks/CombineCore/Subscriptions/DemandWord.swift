public import Locking
public import Synchronization

/// The outstanding demand of one conduit and whether the conduit has ended, in one atomic word.
@usableFromInline
struct DemandWord: ~Copyable {
    /// The outstanding demand; `unlimited` if there is no limit, and permanently `ended` once the conduit has ended.
    // One word, so that taking demand and ending exclude each other: a value that finds demand here was sent before the
    // end.
    @usableFromInline let word: AtomicProperty<Int>

    @inlinable static var unlimited: Int { Int.max }
    @inlinable static var ended: Int { -1 }

    @inlinable
    init() {
        word = AtomicProperty(0)
    }

    /// The outstanding demand at this moment, or `ended`.
    @inlinable var current: Int {
        borrowing get { word.atomic.load(ordering: .sequentiallyConsistent) }
    }

    @inlinable var isEnded: Bool {
        borrowing get { current < 0 }
    }

    /// Adds to the outstanding demand.
    ///
    /// - Returns: The previous demand. Nothing is added to `unlimited` or `ended`.
    @inlinable
    @discardableResult
    borrowing func add(_ demand: Subscribers.Demand) -> Int {
        var found = word.atomic.load(ordering: .sequentiallyConsistent)
        while true {
            if found < 0 || found == DemandWord.unlimited || demand.rawValue == 0 { return found }
            // Computed as `UInt`: two demands just below `Int.max` would overflow an `Int` and trap.
            let sum = UInt(found) + demand.rawValue
            let desired = sum >= UInt(DemandWord.unlimited) ? DemandWord.unlimited : Int(sum)
            let (exchanged, original) = word.atomic.compareExchange(
                expected: found, desired: desired, ordering: .sequentiallyConsistent)
            if exchanged { return found }
            found = original
        }
    }

    /// Takes the demand for one value.
    ///
    /// - Returns: Whether there was any.
    @inlinable
    borrowing func take() -> Bool {
        var found = word.atomic.load(ordering: .sequentiallyConsistent)
        while true {
            if found == DemandWord.unlimited { return true }
            if found <= 0 { return false }
            let (exchanged, original) = word.atomic.compareExchange(
                expected: found, desired: found - 1, ordering: .sequentiallyConsistent)
            if exchanged { return true }
            found = original
        }
    }

    /// Accounts for a value after its delivery: subtracts one and adds `more`.
    ///
    /// - Returns: The demand afterwards, or `ended`.
    @inlinable
    borrowing func finishDelivery(adding more: Subscribers.Demand) -> Int {
        // For sources that deliver in a loop. The demand stays above zero during the delivery, so a request from inside
        // it finds a value other than zero, and only the thread that raised the demand from zero runs the loop.
        var found = word.atomic.load(ordering: .sequentiallyConsistent)
        while true {
            if found <= 0 || found == DemandWord.unlimited { return found }
            let sum = UInt(found - 1) + more.rawValue
            let desired = sum >= UInt(DemandWord.unlimited) ? DemandWord.unlimited : Int(sum)
            let (exchanged, original) = word.atomic.compareExchange(
                expected: found, desired: desired, ordering: .sequentiallyConsistent)
            if exchanged { return desired }
            found = original
        }
    }

    /// Ends the conduit.
    ///
    /// - Returns: Whether this call ended it.
    @inlinable
    borrowing func end() -> Bool {
        word.atomic.exchange(DemandWord.ended, ordering: .sequentiallyConsistent) != DemandWord.ended
    }
}

extension Subscribers.Demand {
    /// Creates the demand that a ``DemandWord`` stores as `count`; none if the conduit has ended.
    @inlinable
    init(outstanding count: Int) {
        self = count == DemandWord.unlimited ? .unlimited : count < 0 ? .none : .max(count)
    }

    /// Traps if the demand is zero. Sources that deliver on request do not accept an empty request.
    @inlinable
    func requirePositive() {
        precondition(rawValue > 0, "A request must be for at least one value, got a demand of zero.")
    }
}
