/// The reduction behind `min` and `max` in all their forms: the value that is last in an order.
///
/// `Owner` is the type of the publisher, after which the subscription is named.
@usableFromInline
struct ComparisonReduction<Owner, Order: OperatorClosure, Value>: Reduction
where Order.Argument == (Value, Value), Order.Result == Bool {
    @usableFromInline typealias Input = Value
    @usableFromInline typealias Output = Value
    @usableFromInline typealias SourceFailure = Order.SourceFailure
    @usableFromInline typealias Failure = Order.Failure
    @usableFromInline typealias Partial = Value?

    @usableFromInline let order: Order

    @inlinable
    init(_ order: Order) {
        self.order = order
    }

    @inlinable
    func reduce(_ partial: Value?, _ input: Value) throws(Order.Failure) -> ReductionStep<Value?> {
        guard let partial else { return .more(input) }
        // Of equal values, the first one is kept.
        return .more(try order.call((partial, input)) ? input : partial)
    }

    @inlinable
    func translate(_ error: Order.SourceFailure) -> Order.Failure {
        order.translate(error)
    }
}

extension ComparisonReduction: NamedSource {
    @usableFromInline static var subscriptionName: String { LinkName.of(Owner.self) }
}
