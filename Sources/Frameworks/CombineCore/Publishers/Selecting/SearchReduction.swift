/// The reduction behind `first(where:)`, `last(where:)` and their throwing forms: the first or the last value that
/// satisfies a condition.
///
/// `Owner` is the type of the publisher, after which the subscription is named.
@usableFromInline
struct SearchReduction<Owner, Condition: OperatorClosure>: Reduction where Condition.Result == Bool {
    @usableFromInline typealias Input = Condition.Argument
    @usableFromInline typealias Output = Condition.Argument
    @usableFromInline typealias SourceFailure = Condition.SourceFailure
    @usableFromInline typealias Failure = Condition.Failure
    @usableFromInline typealias Partial = Condition.Argument?

    @usableFromInline let condition: Condition
    /// Whether the first match decides the result. Otherwise, a later match replaces an earlier one.
    @usableFromInline let endsAtMatch: Bool

    @inlinable
    init(_ condition: Condition, endsAtMatch: Bool) {
        self.condition = condition
        self.endsAtMatch = endsAtMatch
    }

    @inlinable
    func reduce(_ partial: Condition.Argument?, _ input: Condition.Argument) throws(Condition.Failure)
        -> ReductionStep<Condition.Argument?>
    {
        guard try condition.call(input) else { return .more(partial) }
        return endsAtMatch ? .decided(input) : .more(input)
    }

    @inlinable
    func translate(_ error: Condition.SourceFailure) -> Condition.Failure {
        condition.translate(error)
    }
}

extension SearchReduction: NamedSource {
    @usableFromInline static var subscriptionName: String { LinkName.of(Owner.self) }
}
