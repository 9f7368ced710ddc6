/// The shape of a tuple of two to four values, which `combineLatest` and `zip` publish.
///
/// There are always four sides. Those beyond ``count`` are `Void` and have a value from the start, so that one conduit
/// per operator serves all arities.
@usableFromInline
protocol Bundle {
    associatedtype A
    associatedtype B
    associatedtype C
    associatedtype D
    associatedtype Output

    /// The number of sides in use.
    static var count: Int { get }
    /// The constant values of the unused sides; nil for a side in use.
    static var restC: C? { get }
    static var restD: D? { get }

    static func make(_ a: A, _ b: B, _ c: C, _ d: D) -> Output
}

@usableFromInline
enum Pair<A, B>: Bundle {
    @inlinable static var count: Int { 2 }
    // A constant of `Void` makes the check for an unused side vanish when the conduit is specialized.
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

/// A conduit with several upstreams, each with its own output type.
@usableFromInline
protocol SidedConduit: AnyObject {
    associatedtype Failure: Error

    func receive(_ subscription: any Subscription, from index: Int)
    func receive(_ completion: Subscribers.Completion<Failure>, from index: Int)
}

/// The subscriber of one upstream of a ``SidedConduit``.
@usableFromInline
struct Side<Owner: SidedConduit, Input>: Subscriber, DescribedSubscriber {
    @usableFromInline let owner: Owner
    @usableFromInline let index: Int
    // A function stored per side lets each side have its own value type behind one subscriber type. It receives the
    // owner as an argument instead of capturing it, so it needs no context on the heap.
    /// Passes a value to the owner.
    @usableFromInline let put: (Owner, Input) -> Subscribers.Demand

    @inlinable
    init(_ owner: Owner, _ index: Int, _ put: @escaping (Owner, Input) -> Subscribers.Demand) {
        self.owner = owner
        self.index = index
        self.put = put
    }

    // The side is a value without identity; its owner identifies the subscription.
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
