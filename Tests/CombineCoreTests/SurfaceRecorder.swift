import CombineCore

/// A subscriber that logs the events of a stream as text. It requests `initial` values, and `more` after each value.
final class SurfaceRecorder<Input, Failure: Error>: Subscriber {
    private(set) var log: [String] = []
    private(set) var subscription: (any Subscription)?
    private let initial: Subscribers.Demand
    private let more: Subscribers.Demand

    init(_ initial: Subscribers.Demand = .unlimited, more: Subscribers.Demand = .none) {
        self.initial = initial
        self.more = more
    }

    func receive(subscription: any Subscription) {
        log.append("subscription \(subscription)")
        self.subscription = subscription
        if initial > 0 { subscription.request(initial) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        log.append("\(input)")
        return more
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        switch completion {
        case .finished: log.append("finished")
        case .failure(let error): log.append("failure \(error)")
        }
        subscription = nil
    }

    /// Returns the log and clears it.
    func take() -> [String] {
        defer { log = [] }
        return log
    }

    func request(_ count: Int) {
        subscription?.request(.max(count))
    }

    func cancel() {
        subscription?.cancel()
        subscription = nil
    }
}

extension Publisher {
    /// Returns the events before `subscribe` returns, without the subscription.
    func events(_ initial: Subscribers.Demand = .unlimited, more: Subscribers.Demand = .none) -> [String] {
        let recorder = SurfaceRecorder<Output, Failure>(initial, more: more)
        subscribe(recorder)
        return Array(recorder.log.dropFirst())
    }

    func record(_ initial: Subscribers.Demand = .unlimited, more: Subscribers.Demand = .none)
        -> SurfaceRecorder<Output, Failure>
    {
        let recorder = SurfaceRecorder<Output, Failure>(initial, more: more)
        subscribe(recorder)
        return recorder
    }
}

enum Mishap: Error, Equatable {
    case first
    case second
}
