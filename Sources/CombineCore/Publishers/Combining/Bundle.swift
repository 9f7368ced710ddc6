/// The tuple that `combineLatest` or `zip` makes of two to four values.
///
/// There are always four sides; those beyond ``count`` are `Void` and have their value from the start. So the links
/// behind the operators are written once.
@usableFromInline
protocol Bundle {
    associatedtype A
    associatedtype B
    associatedtype C
    associatedtype D
    associatedtype Output

    /// How many of the sides are in use.
    static var count: Int { get }
    /// The values of the unused sides.
    static var restC: C? { get }
    static var restD: D? { get }

    static func make(_ a: A, _ b: B, _ c: C, _ d: D) -> Output
}

@usableFromInline
enum Pair<A, B>: Bundle {
    @inlinable static var count: Int { 2 }
    @inlinable static var restC: Void? { () }
    @inlinable static var restD: Void? { () }

    @inlinable
    static func make(_ a: A, _ b: B, _ c: Void, _ d: Void) -> (A, B) {
        (a, b)
    }
}

@usableFromInline
enum Triple<A, B, C>: Bundle {
    @inlinable static var count: Int { 3 }
    @inlinable static var restC: C? { nil }
    @inlinable static var restD: Void? { () }

    @inlinable
    static func make(_ a: A, _ b: B, _ c: C, _ d: Void) -> (A, B, C) {
        (a, b, c)
    }
}

@usableFromInline
enum Quadruple<A, B, C, D>: Bundle {
    @inlinable static var count: Int { 4 }
    @inlinable static var restC: C? { nil }
    @inlinable static var restD: D? { nil }

    @inlinable
    static func make(_ a: A, _ b: B, _ c: C, _ d: D) -> (A, B, C, D) {
        (a, b, c, d)
    }
}

/// A link with several upstreams of which each has its own type of value.
@usableFromInline
protocol SidedConduit: AnyObject {
    associatedtype Failure: Error

    func receive(_ subscription: any Subscription, from index: Int)
    func receive(_ completion: Subscribers.Completion<Failure>, from index: Int)
}

/// The subscriber of one of the upstreams of a ``SidedConduit``.
@usableFromInline
@frozen
struct Side<Owner: SidedConduit, Input>: Subscriber, DescribedSubscriber {
    @usableFromInline typealias Failure = Owner.Failure

    @usableFromInline let owner: Owner
    @usableFromInline let index: Int
    /// Hands a value to the owner; captures nothing.
    @usableFromInline let put: (Owner, Input) -> Subscribers.Demand

    @inlinable
    init(_ owner: Owner, _ index: Int, _ put: @escaping (Owner, Input) -> Subscribers.Demand) {
        self.owner = owner
        self.index = index
        self.put = put
    }

    @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(owner) }

    @usableFromInline var description: String { "\(owner)" }

    @usableFromInline var customMirror: Mirror {
        Mirror(self, children: ["parentSubscription": combineIdentifier])
    }

    @inlinable
    func receive(subscription: any Subscription) {
        owner.receive(subscription, from: index)
    }

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
        put(owner, input)
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Owner.Failure>) {
        owner.receive(completion, from: index)
    }
}
