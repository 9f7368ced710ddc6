/// The part of an operator that transforms one value after another, independent of demand, threads and subscriptions.
@usableFromInline
protocol Transformation: FailureTranslation {
    associatedtype Input
    associatedtype Output
    /// The state that is kept from one value to the next.
    associatedtype Memory

    func step(_ input: Input, _ memory: Memory) throws(Failure) -> TransformationStep<Output, Memory>

    func children(_ downstream: Any, _ memory: Memory?) -> [Mirror.Child]
}

extension Transformation {
    @usableFromInline
    func children(_ downstream: Any, _ memory: Memory?) -> [Mirror.Child] {
        [("downstream", downstream)]
    }
}

/// The effect of a value on a transformation.
@usableFromInline
enum TransformationStep<Output, Memory> {
    case deliver(Output, Memory)
    /// Omit the value and request another one from upstream in its place.
    case skip(Memory)
    case finish
}

/// The conduit of operators that are described by a ``Transformation``.
@usableFromInline
final class TransformationConduit<T: Transformation, Downstream: Subscriber>: StageConduit<Downstream>, Subscriber
where Downstream.Input == T.Output, Downstream.Failure == T.Failure {
    // Used only inside the gate and released after the end; the gate already makes every access exclusive.
    @exclusivity(unchecked) @usableFromInline var transformation: T?
    @exclusivity(unchecked) @usableFromInline var memory: T.Memory?

    @inlinable
    init(_ downstream: Downstream, _ transformation: T, _ memory: T.Memory) {
        self.transformation = transformation
        self.memory = memory
        super.init(downstream) { unsafeDowncast($0, to: TransformationConduit<T, Downstream>.self).handle($1) }
    }

    @inlinable
    func handle(_ command: Command) {
        switch command {
        case .request(let more): requestUpstream(more)
        case .cancel: endAndCancel()
        case .drainPending:
            guard demand.isEnded else { return }
            downstream = nil
            transformation = nil
            memory = nil
        }
    }

    @inlinable
    func receive(subscription: any Subscription) {
        begin(subscription)
    }

    @inlinable
    func receive(_ input: T.Input) -> Subscribers.Demand {
        let outermost = enter()
        defer { exit(outermost) }
        guard hasBegun, !demand.isEnded, let downstream, let transformation, let memory else { return .none }
        let step: TransformationStep<T.Output, T.Memory>
        do throws(T.Failure) {
            step = try transformation.step(input, memory)
        } catch {
            end(with: .failure(error))
            return .none
        }
        // The closure may have cancelled the stream, and a cancelled subscriber must not receive the value.
        guard !demand.isEnded else { return .none }
        switch step {
        case .deliver(let output, let memory):
            self.memory = memory
            return downstream.receive(output)
        case .skip(let memory):
            self.memory = memory
            // Downstream's request counted this value, so upstream has to send another one for it.
            return .max(1)
        case .finish: end(with: .finished)
        }
        return .none
    }

    @inlinable
    func receive(completion: Subscribers.Completion<T.SourceFailure>) {
        let outermost = enter()
        defer { exit(outermost) }
        guard hasBegun, let transformation else { return }
        switch completion {
        case .finished: complete(.finished)
        case .failure(let error): complete(.failure(transformation.translate(error)))
        }
    }

    @usableFromInline override var description: String { LinkName.of(T.self) }

    @usableFromInline override var customMirror: Mirror {
        mirror(transformation?.children(downstream as Any, memory) ?? [])
    }
}
