/// The reduction behind `first(where:)` and `tryFirst(where:)`.
///
/// `Owner` is the type of the publisher, after which the subscription is named.
@usableFromInline
@frozen
struct FirstSearch<Owner, Condition: OperatorClosure>: Reduction where Condition.Result == Bool {
    @usableFromInline typealias Input = Condition.Argument
    @usableFromInline typealias Output = Condition.Argument
    @usableFromInline typealias SourceFailure = Condition.SourceFailure
    @usableFromInline typealias Failure = Condition.Failure
    @usableFromInline typealias Partial = Condition.Argument?

    @usableFromInline let condition: Condition

    @inlinable
    init(_ condition: Condition) {
        self.condition = condition
    }

    @inlinable
    func reduce(_ partial: Condition.Argument?, _ input: Condition.Argument) -> ReductionStep<
        Condition.Argument?, Condition.Failure
    > {
        do throws(Condition.Failure) {
            return try condition.call(input) ? .decided(input) : .more(nil)
        } catch {
            return .fail(error)
        }
    }

    @inlinable
    func translate(_ error: Condition.SourceFailure) -> Condition.Failure {
        condition.translate(error)
    }
}

extension FirstSearch: NamedSource {
    @usableFromInline static var subscriptionName: String { LinkName.of(Owner.self) }
}

/// The reduction behind `last(where:)` and `tryLast(where:)`.
///
/// `Owner` is the type of the publisher, after which the subscription is named.
@usableFromInline
@frozen
struct LastSearch<Owner, Condition: OperatorClosure>: Reduction where Condition.Result == Bool {
    @usableFromInline typealias Input = Condition.Argument
    @usableFromInline typealias Output = Condition.Argument
    @usableFromInline typealias SourceFailure = Condition.SourceFailure
    @usableFromInline typealias Failure = Condition.Failure
    @usableFromInline typealias Partial = Condition.Argument?

    @usableFromInline let condition: Condition

    @inlinable
    init(_ condition: Condition) {
        self.condition = condition
    }

    @inlinable
    func reduce(_ partial: Condition.Argument?, _ input: Condition.Argument) -> ReductionStep<
        Condition.Argument?, Condition.Failure
    > {
        do throws(Condition.Failure) {
            return .more(try condition.call(input) ? input : partial)
        } catch {
            return .fail(error)
        }
    }

    @inlinable
    func translate(_ error: Condition.SourceFailure) -> Condition.Failure {
        condition.translate(error)
    }
}

extension LastSearch: NamedSource {
    @usableFromInline static var subscriptionName: String { LinkName.of(Owner.self) }
}
