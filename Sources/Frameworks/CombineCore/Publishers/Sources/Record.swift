public import StateCapture

/// A publisher that replays recorded values and a completion.
public struct Record<Output, Failure: Error>: Publisher {
    /// The recording that every subscriber receives.
    public let recording: Recording

    /// Creates a publisher of the events that `record` records. The closure runs immediately.
    public init(record: (inout Recording) -> Void) {
        var recording = Recording()
        record(&recording)
        self.recording = recording
    }

    /// Creates a publisher of `recording`.
    public init(recording: Recording) {
        self.recording = recording
    }

    /// Creates a publisher of values and a completion.
    public init(output: [Output], completion: Subscribers.Completion<Failure>) {
        recording = Recording(output: output, completion: completion)
    }

    /// Attaches `subscriber`, which receives as many values as it requests. Without values, it receives the completion
    /// immediately.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
        if recording.output.isEmpty {
            subscriber.receive(subscription: Subscriptions.empty)
            subscriber.receive(completion: recording.completion)
        } else {
            let inner = Inner(recording, subscriber)
            if let registry = StateRegistry.current, registry.restart(inner, subscriber) { return }
            subscriber.receive(subscription: inner)
        }
    }

    /// A sequence of recorded values and a completion.
    public struct Recording {
        /// The type of the recorded values.
        public typealias Input = Output

        /// The values, in order.
        public private(set) var output: [Output]

        /// The completion; `.finished` unless another one was recorded.
        public private(set) var completion: Subscribers.Completion<Failure>

        /// Whether a completion has been recorded, so that nothing can follow.
        private var isComplete: Bool

        /// Creates an empty recording.
        public init() {
            output = []
            completion = .finished
            isComplete = false
        }

        /// Creates a complete recording.
        public init(output: [Output], completion: Subscribers.Completion<Failure> = .finished) {
            self.output = output
            self.completion = completion
            isComplete = true
        }

        /// Records a value. Traps if the recording is complete.
        public mutating func receive(_ input: Input) {
            precondition(!isComplete, "A value cannot follow the completion of a recording.")
            output.append(input)
        }

        /// Records the completion. Traps if there is one already.
        public mutating func receive(completion: Subscribers.Completion<Failure>) {
            precondition(!isComplete, "A recording can have only one completion.")
            self.completion = completion
            isComplete = true
        }
    }

    @usableFromInline
    final class Inner<Downstream: Subscriber>: GatedConduit
    where Downstream.Input == Output, Downstream.Failure == Failure {
        @usableFromInline let completion: Subscribers.Completion<Failure>
        // Used only by the thread that raised the demand from zero, until it is zero again, so every access is
        // exclusive.
        @exclusivity(unchecked) @usableFromInline var output: [Output]
        @exclusivity(unchecked) @usableFromInline var next = 0
        @exclusivity(unchecked) @usableFromInline var downstream: Downstream?

        @inlinable
        init(_ recording: Recording, _ downstream: Downstream) {
            output = recording.output
            completion = recording.completion
            self.downstream = downstream
            super.init { unsafeDowncast($0, to: Inner<Downstream>.self).handle($1) }
        }

        @inlinable
        func handle(_ command: Command) {
            switch command {
            case .request(let more):
                // Only the request that raises the demand from zero delivers. Any other one finds a loop running, which
                // sees the added demand.
                if more.rawValue > 0, demand.add(more) == 0 { deliver() }
            case .cancel:
                if demand.end() { releaseReferences() }
            case .drainPending:
                guard demand.isEnded else { return }
                output = []
                next = 0
                downstream = nil
            }
        }

        /// Delivers until the demand is exhausted, including demand that is requested meanwhile.
        @inlinable
        func deliver() {
            // The gate keeps a cancellation on another thread from releasing the references during the loop.
            let outermost = enter()
            defer { exit(outermost) }
            guard let downstream else { return }
            while !demand.isEnded, next < output.count {
                let value = output[next]
                next += 1
                let more = downstream.receive(value)
                if next == output.count {
                    if demand.end() {
                        downstream.receive(completion: completion)
                        releaseReferences()
                    }
                    return
                }
                if demand.finishDelivery(adding: more) <= 0 { return }
            }
        }

        @usableFromInline override var description: String {
            downstream == nil ? "Cancelled Events" : output.description
        }

        @usableFromInline override var customMirror: Mirror {
            mirror([("sequence", output.dropFirst(next).map { $0 }), ("completion", completion)])
        }
    }
}

extension Record: Codable where Output: Codable, Failure: Codable {}

extension Record.Recording: Codable where Output: Codable, Failure: Codable {
    private enum CodingKeys: String, CodingKey {
        case output
        case completion
    }

    /// Creates a complete recording from the data that ``encode(to:)`` writes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let output = try container.decode([Output].self, forKey: .output)
        let completion = try container.decode(Subscribers.Completion<Failure>.self, forKey: .completion)
        self.init(output: output, completion: completion)
    }

    /// Encodes the values and the completion.
    public func encode(into encoder: any Encoder) throws {
        try encode(to: encoder)
    }

    /// Encodes the values and the completion.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(output, forKey: .output)
        try container.encode(completion, forKey: .completion)
    }
}
