/// The reduction behind `reduce` and `tryReduce`.
///
/// `Owner` is the type of the publisher, after which the subscription is named.
@usableFromInline
struct StepReduction<Owner, Step: OperatorClosure, Result, Value>: Reduction
where Step.Argument == (Result, Value), Step.Result == Result {
    @usableFromInline let initial: Result
    @usableFromInline let step: Step

    @inlinable
    init(_ initial: Result, _ step: Step) {
        self.initial = initial
        self.step = step
    }

    @inlinable
    func begin() -> Result { initial }

    @inlinable
    func reduce(_ partial: Result, _ input: Value) throws(Step.Failure) -> ReductionStep<Result> {
        .more(try step.call((partial, input)))
    }

    @inlinable
    func translate(_ error: Step.SourceFailure) -> Step.Failure {
        step.translate(error)
    }
}

extension StepReduction: NamedSource {
    @usableFromInline static var subscriptionName: String { LinkName.of(Owner.self) }
}
