/// The reduction behind `contains` and `allSatisfy` in all their forms: a Boolean that one value can decide.
///
/// `Owner` is the type of the publisher, after which the subscription is named.
@usableFromInline
struct MatchingReduction<Owner, Condition: OperatorClosure>: Reduction where Condition.Result == Bool {
    @usableFromInline let condition: Condition
    /// The outcome of the condition that decides the result, and is the result: true for `contains`, false for `allSatisfy`.
    @usableFromInline let decisive: Bool

    @inlinable
    init(_ condition: Condition, decisive: Bool) {
        self.condition = condition
        self.decisive = decisive
    }

    // The result of an empty stream, too: nothing was found, or nothing violates the condition.
    @inlinable
    func begin() -> Bool { !decisive }

    @inlinable
    func reduce(_ partial: Bool, _ input: Condition.Argument) throws(Condition.Failure) -> ReductionStep<Bool> {
        try condition.call(input) == decisive ? .decided(decisive) : .more(!decisive)
    }

    @inlinable
    func translate(_ error: Condition.SourceFailure) -> Condition.Failure {
        condition.translate(error)
    }
}

extension MatchingReduction: NamedSource {
    @usableFromInline static var subscriptionName: String { LinkName.of(Owner.self) }
}
