import StateCapture

/// Values that are derived from those of another publisher, its *origin*. The values of the origin can be captured, and so
/// the others can be made again in a restored machine, although they are publishers, for example.
///
/// The type of the origin is known to the subclass only.
class DerivedValues<Output, Failure: Error> {
    /// Returns values that are derived from these, except those for which the closure returns nil.
    func map<Result>(_ transform: @escaping (Output) throws -> Result?) -> DerivedValues<Result, Failure> {
        preconditionFailure("\(Self.self) must override map(_:)")
    }

    /// Returns the values with another failure type.
    func mapError<Other: Error>(_ transform: @escaping (Failure) -> Other?) -> DerivedValues<Output, Other> {
        preconditionFailure("\(Self.self) must override mapError(_:)")
    }

    /// Returns values that cannot fail as values with a failure type.
    final func withoutFailure<Other: Error>(_ type: Other.Type) -> DerivedValues<Output, Other> {
        mapError { _ in nil }
    }

    /// Attaches a subscriber of a machine that is being wired to the publishers that are made from the values.
    ///
    /// - Parameters:
    ///   - flattening: The operator that subscribes to the publishers.
    ///   - registry: The registry of the machine.
    /// - Returns: Whether the operator is captured. If not, nothing was attached.
    func attach<Made: Publisher, S: Subscriber>(
        _ flattening: Flattening, _ make: @escaping (Output) -> Made, _ subscriber: S, _ registry: StateRegistry
    ) -> Bool where Made.Output == S.Input, Made.Failure == S.Failure, S.Failure == Failure {
        preconditionFailure("\(Self.self) must override attach(_:_:_:_:)")
    }

    /// Returns the values of a publisher; nil if neither they nor what they are derived from can be captured.
    static func of<P: Publisher>(_ publisher: P) -> DerivedValues? where P.Output == Output, P.Failure == Failure {
        if LiveSources<Output>.canCapture {
            return Derivation<P, Output, Failure>(publisher) { $0 }
        }
        return (publisher as? any DerivingPublisher)?.derivedValues as? DerivedValues
    }
}

/// Values that are derived from those of a publisher of a known type.
final class Derivation<Origin: Publisher, Output, Failure: Error>: DerivedValues<Output, Failure> {
    private let origin: Origin
    private let make: (Origin.Output) throws -> Output?
    /// Returns nil for a failure that cannot occur.
    private let fail: (Origin.Failure) -> Failure?

    init(
        _ origin: Origin, _ make: @escaping (Origin.Output) throws -> Output?,
        _ fail: @escaping (Origin.Failure) -> Failure?
    ) {
        self.origin = origin
        self.make = make
        self.fail = fail
    }

    /// Creates values that fail as their origin does.
    convenience init(_ origin: Origin, _ make: @escaping (Origin.Output) throws -> Output?)
    where Origin.Failure == Failure {
        self.init(origin, make, { $0 })
    }

    override func map<Result>(_ transform: @escaping (Output) throws -> Result?) -> DerivedValues<Result, Failure> {
        let make = make
        return Derivation<Origin, Result, Failure>(origin, { try make($0).flatMap(transform) }, fail)
    }

    override func mapError<Other: Error>(_ transform: @escaping (Failure) -> Other?) -> DerivedValues<Output, Other> {
        let fail = fail
        return Derivation<Origin, Output, Other>(origin, make, { fail($0).flatMap(transform) })
    }

    override func attach<Made: Publisher, S: Subscriber>(
        _ flattening: Flattening, _ makePublisher: @escaping (Output) -> Made, _ subscriber: S,
        _ registry: StateRegistry
    ) -> Bool where Made.Output == S.Input, Made.Failure == S.Failure, S.Failure == Failure {
        let sources = registry.makeSources(
            of: Origin.Output.self, emitting: Made.Output.self, named: flattening.name)
        guard let sources else { return false }
        let make = make
        let makeAll = { (value: Origin.Output) throws -> Made? in try make(value).map(makePublisher) }
        switch flattening {
        case .all(let limit):
            let conduit = FlatMapConduit<ScopedSource<Origin.Output, Made>, ScopedSource<Origin.Output, Made>, S>(
                subscriber, limit, { $0 })
            FlatteningPart(conduit, sources, makeAll).attach(to: origin, fail, registry)
        case .latest:
            let conduit = SwitchConduit<ScopedSource<Origin.Output, Made>, S>(subscriber)
            FlatteningPart(conduit, sources, makeAll).attach(to: origin, fail, registry)
        }
        return true
    }
}

/// An operator that subscribes to publishers that it receives.
enum Flattening {
    /// `flatMap`, with the maximum number of publishers at a time.
    case all(Subscribers.Demand)
    /// `switchToLatest`.
    case latest

    /// The name of the operator.
    var name: String {
        switch self {
        case .all: "flatMap"
        case .latest: "switchToLatest"
        }
    }
}

/// A publisher without state whose values are made from the values of its upstream.
protocol DerivingPublisher {
    /// The ``DerivedValues`` of the publisher; nil if what they are derived from cannot be captured.
    var derivedValues: AnyObject? { get }
}

extension Publishers.Map: DerivingPublisher {
    var derivedValues: AnyObject? { DerivedValues.of(upstream)?.map(transform) }
}

extension Publishers.TryMap: DerivingPublisher {
    var derivedValues: AnyObject? { DerivedValues.of(upstream)?.map(transform).mapError { $0 as any Error } }
}

extension Publishers.CompactMap: DerivingPublisher {
    var derivedValues: AnyObject? { DerivedValues.of(upstream)?.map(transform) }
}

extension Publishers.TryCompactMap: DerivingPublisher {
    var derivedValues: AnyObject? { DerivedValues.of(upstream)?.map(transform).mapError { $0 as any Error } }
}

extension Publishers.MapKeyPath: DerivingPublisher {
    var derivedValues: AnyObject? {
        let keyPath = keyPath
        return DerivedValues.of(upstream)?.map { $0[keyPath: keyPath] }
    }
}

extension Publishers.SetFailureType: DerivingPublisher {
    var derivedValues: AnyObject? { DerivedValues.of(upstream)?.withoutFailure(Failure.self) }
}

// The elements of a sequence have their places, and the factory of a machine makes the same sequence again.
extension Publishers.Sequence: DerivingPublisher {
    var derivedValues: AnyObject? {
        guard let elements = sequence as? [Output] else { return nil }
        let places = Publishers.Sequence<Range<Int>, Failure>(sequence: elements.indices)
        return Derivation<_, Output, Failure>(places) { elements.indices.contains($0) ? elements[$0] : nil }
    }
}

extension Just: DerivingPublisher {
    var derivedValues: AnyObject? {
        let output = output
        return Derivation<_, Output, Failure>(Just<Void>(())) { output }
    }
}
