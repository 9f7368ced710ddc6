import Locking
import StateCapture

extension FlatMapConduit: FlatteningConduit where Made: ScopedPublisher, Source == Made {
    static var partName: StaticString { "flatMap" }
    static var isSwitching: Bool { false }

    func keptValues() -> [KeptValue<Made.Output>] {
        if kept.isEmpty { return [] }
        return lock.withLock {
            var open: [Int] = []
            children.forEach { if !$0.isFinished { open.append($0.slot) } }
            let byChild = kept.enumerated().sorted {
                ($0.element.child.slot, $0.offset) < ($1.element.child.slot, $1.offset)
            }
            var (latest, first): (Child?, Int) = (nil, 0)
            return byChild.map { order, item in
                let (child, isFinished) = (item.child, item.child.isFinished)
                if child !== latest { (latest, first) = (child, order) }
                return KeptValue(
                    value: StoredValue(item.value), place: open.count { $0 < child.slot }, isFinished: isFinished,
                    child: isFinished && child.keptCount > 1 ? first : nil, order: order)
            }
        }
    }

    func restore(_ source: Made?, _ values: [Made.Output]) {
        guard let child = makeChild() else { return }
        child.isFinished = source == nil
        child.keptCount = values.count
        for value in values { kept.append((child, value)) }
        source?.receive(subscriber: child)
    }

    func reorderKept(by numbers: [Int]) {
        // A publisher that could not be made again has no value.
        guard numbers.count == kept.count else { return }
        kept = ContiguousArray(zip(numbers, kept).sorted { $0.0 < $1.0 }.map(\.1))
    }

    func finishRestored() { finishIfDone() }
}

extension SwitchConduit: FlatteningConduit where P: ScopedPublisher {
    static var partName: StaticString { "switchToLatest" }
    static var isSwitching: Bool { true }

    /// None: each publisher receives the demand of downstream.
    func keptValues() -> [KeptValue<P.Output>] { [] }

    func reorderKept(by numbers: [Int]) {}

    func restore(_ source: P?, _ values: [P.Output]) {
        if let source, let child = change() { source.receive(subscriber: child) }
    }

    func finishRestored() {
        if lock.withLock({ latest == nil }) { end(with: .finished) }
    }
}

extension Publishers.FlatMap {
    /// Attaches a subscriber of a machine that is being wired.
    ///
    /// - Returns: Whether the operator is captured. If not, nothing was attached.
    @usableFromInline
    func startCaptured<S: Subscriber>(_ subscriber: S) -> Bool where Output == S.Input, Failure == S.Failure {
        guard let registry = StateRegistry.current else { return false }
        let flattening = Flattening.all(maxPublishers)
        guard let values = DerivedValues.of(upstream) else {
            registry.addObstacle(flattening.obstacle(Upstream.Output.self))
            return false
        }
        return values.attach(flattening, transform, subscriber, registry)
    }
}

extension Publishers.SwitchToLatest {
    /// Attaches a subscriber of a machine that is being wired.
    ///
    /// - Returns: Whether the operator is captured. If not, nothing was attached.
    @usableFromInline
    func startCaptured<S: Subscriber>(_ subscriber: S) -> Bool
    where P.Output == S.Input, Upstream.Failure == S.Failure {
        guard let registry = StateRegistry.current else { return false }
        guard let values = DerivedValues.of(upstream) else {
            registry.addObstacle(Flattening.latest.obstacle(P.self))
            return false
        }
        return values.attach(.latest, { $0 }, subscriber, registry)
    }
}

extension Flattening {
    /// The obstacle of values that cannot be captured.
    fileprivate func obstacle(_ type: any Any.Type) -> CaptureObstacle {
        let advice = "place \(name) directly after a map of values that are Codable"
        return CaptureObstacle(
            part: name, type: String(reflecting: type), advice: type is any Publisher.Type ? advice : nil)
    }
}
