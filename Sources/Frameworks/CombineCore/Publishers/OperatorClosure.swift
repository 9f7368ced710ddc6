/// The closure of an operator that exists with and without `try`.
///
/// The two forms of such an operator share one reduction or conduit, which is generic over the closure and its error.
@usableFromInline
protocol OperatorClosure: FailureTranslation {
    associatedtype Argument
    associatedtype Result

    func call(_ argument: Argument) throws(Failure) -> Result
}

/// The part of an operator that knows its failure type.
@usableFromInline
protocol FailureTranslation {
    /// The failure type of the publishers that the operator subscribes to.
    associatedtype SourceFailure: Error
    /// The failure type of the operator, and the type of the errors that its closure throws.
    associatedtype Failure: Error

    /// Converts a failure of a publisher that the operator subscribes to.
    func translate(_ error: SourceFailure) -> Failure
}

extension FailureTranslation where SourceFailure == Failure {
    @inlinable
    func translate(_ error: SourceFailure) -> Failure { error }
}

extension FailureTranslation where Failure == any Error {
    @inlinable
    func translate(_ error: SourceFailure) -> Failure { error }
}

extension FailureTranslation where SourceFailure == any Error, Failure == any Error {
    @inlinable
    func translate(_ error: SourceFailure) -> Failure { error }
}

// The closures are wrapped in types of their own. A stored closure of type `(Argument) throws(Failure) -> Result` would
// return its error indirectly wherever `Failure` is generic. A closure that cannot throw would then need a thunk: one more
// allocation for each subscription and one more call for each value. The parameters below match those of the closures that
// the publishers store, down to `Bool`, because a generic result is returned indirectly and needs a thunk, too.

/// A condition that cannot throw.
@usableFromInline
struct TotalPredicate<Value, Failure: Error>: OperatorClosure {
    @usableFromInline typealias SourceFailure = Failure

    @usableFromInline let body: (Value) -> Bool

    @inlinable
    init(_ body: @escaping (Value) -> Bool) {
        self.body = body
    }

    // Declared as throwing for the protocol. Once this is inlined, nothing of the error path remains.
    @inlinable
    func call(_ value: Value) throws(Failure) -> Bool { body(value) }
}

/// A condition that can throw.
@usableFromInline
struct ThrowingPredicate<Value, SourceFailure: Error>: OperatorClosure {
    @usableFromInline typealias Failure = any Error

    @usableFromInline let body: (Value) throws -> Bool

    @inlinable
    init(_ body: @escaping (Value) throws -> Bool) {
        self.body = body
    }

    @inlinable
    func call(_ value: Value) throws(any Error) -> Bool { try body(value) }
}

/// The condition that a value equals a given one.
@usableFromInline
struct EqualityPredicate<Value: Equatable, Failure: Error>: OperatorClosure {
    @usableFromInline typealias SourceFailure = Failure

    @usableFromInline let expected: Value

    @inlinable
    init(_ expected: Value) {
        self.expected = expected
    }

    @inlinable
    func call(_ value: Value) throws(Failure) -> Bool { value == expected }
}

/// An order of values that cannot throw.
@usableFromInline
struct TotalOrder<Value, Failure: Error>: OperatorClosure {
    @usableFromInline typealias SourceFailure = Failure

    @usableFromInline let areInIncreasingOrder: (Value, Value) -> Bool

    @inlinable
    init(_ areInIncreasingOrder: @escaping (Value, Value) -> Bool) {
        self.areInIncreasingOrder = areInIncreasingOrder
    }

    @inlinable
    func call(_ values: (Value, Value)) throws(Failure) -> Bool { areInIncreasingOrder(values.0, values.1) }
}

/// An order of values that can throw.
@usableFromInline
struct ThrowingOrder<Value, SourceFailure: Error>: OperatorClosure {
    @usableFromInline typealias Failure = any Error

    @usableFromInline let areInIncreasingOrder: (Value, Value) throws -> Bool

    @inlinable
    init(_ areInIncreasingOrder: @escaping (Value, Value) throws -> Bool) {
        self.areInIncreasingOrder = areInIncreasingOrder
    }

    @inlinable
    func call(_ values: (Value, Value)) throws(any Error) -> Bool { try areInIncreasingOrder(values.0, values.1) }
}

/// A step from one partial result to the next that cannot throw.
@usableFromInline
struct TotalStep<Partial, Value, Failure: Error>: OperatorClosure {
    @usableFromInline typealias SourceFailure = Failure

    @usableFromInline let next: (Partial, Value) -> Partial

    @inlinable
    init(_ next: @escaping (Partial, Value) -> Partial) {
        self.next = next
    }

    @inlinable
    func call(_ argument: (Partial, Value)) throws(Failure) -> Partial { next(argument.0, argument.1) }
}

/// A step from one partial result to the next that can throw.
@usableFromInline
struct ThrowingStep<Partial, Value, SourceFailure: Error>: OperatorClosure {
    @usableFromInline typealias Failure = any Error

    @usableFromInline let next: (Partial, Value) throws -> Partial

    @inlinable
    init(_ next: @escaping (Partial, Value) throws -> Partial) {
        self.next = next
    }

    @inlinable
    func call(_ argument: (Partial, Value)) throws(any Error) -> Partial { try next(argument.0, argument.1) }
}

/// A handler that returns a replacement publisher for an error, and cannot throw.
@usableFromInline
struct TotalHandler<Handled: Error, Replacement: Publisher>: OperatorClosure {
    @usableFromInline typealias SourceFailure = Replacement.Failure
    @usableFromInline typealias Failure = Replacement.Failure

    @usableFromInline let body: (Handled) -> Replacement

    @inlinable
    init(_ body: @escaping (Handled) -> Replacement) {
        self.body = body
    }

    @inlinable
    func call(_ error: Handled) throws(Replacement.Failure) -> Replacement { body(error) }
}

/// A handler that returns a replacement publisher for an error, or throws.
@usableFromInline
struct ThrowingHandler<Handled: Error, Replacement: Publisher>: OperatorClosure {
    @usableFromInline typealias SourceFailure = Replacement.Failure
    @usableFromInline typealias Failure = any Error

    @usableFromInline let body: (Handled) throws -> Replacement

    @inlinable
    init(_ body: @escaping (Handled) throws -> Replacement) {
        self.body = body
    }

    @inlinable
    func call(_ error: Handled) throws(any Error) -> Replacement { try body(error) }
}
