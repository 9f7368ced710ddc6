/// A publisher that replays values and a completion that were written down.
public struct Record<Output, Failure: Error>: Publisher {
    /// What is replayed to every subscriber.
    public let recording: Recording

    /// Makes a publisher of what `record` writes down, which runs now.
    public init(record: (inout Recording) -> Void) {
        var recording = Recording()
        record(&recording)
        self.recording = recording
    }

    /// Makes a publisher of `recording`.
    public init(recording: Recording) {
        self.recording = recording
    }

    /// Makes a publisher of values and a completion.
    public init(output: [Output], completion: Subscribers.Completion<Failure>) {
        recording = Recording(output: output, completion: completion)
    }

    /// Attaches `subscriber`, which gets as many values as it asks for; without values, the completion comes at once.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
        if recording.output.isEmpty {
            subscriber.receive(subscription: Subscriptions.empty)
            subscriber.receive(completion: recording.completion)
        } else {
            subscriber.receive(subscription: Inner(recording, subscriber))
        }
    }

    /// Values and a completion, written down one after the other.
    public struct Recording {
        /// What can be written down.
        public typealias Input = Output

        /// The values, in order.
        public private(set) var output: [Output]

        /// How the stream ended; finished, unless something else was written down.
        public private(set) var completion: Subscribers.Completion<Failure>

        /// Whether the completion has been written down, so that nothing can follow.
        private var isComplete: Bool

        /// Makes a recording without values.
        public init() {
            output = []
            completion = .finished
            isComplete = false
        }

        /// Makes a complete recording.
        public init(output: [Output], completion: Subscribers.Completion<Failure> = .finished) {
            self.output = output
            self.completion = completion
            isComplete = true
        }

        /// Writes a value down; traps if the recording is complete.
        public mutating func receive(_ input: Input) {
            precondition(!isComplete, "A value cannot follow the completion of a recording.")
            output.append(input)
        }

        /// Writes the completion down; traps if there was one.
        public mutating func receive(completion: Subscribers.Completion<Failure>) {
            precondition(!isComplete, "A recording has only one completion.")
            self.completion = completion
            isComplete = true
        }
    }

    @usableFromInline
    final class Inner<Downstream: Subscriber>: GatedConduit
    where Downstream.Input == Output, Downstream.Failure == Failure {
        @usableFromInline let completion: Subscribers.Completion<Failure>
        /// These are used by the thread that raised the demand from zero, until it is zero again.
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

        /// Delivers until the demand is used up; what is requested meanwhile counts.
        @inlinable
        func deliver() {
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
            Mirror(
                self,
                children: ["sequence": output.dropFirst(next).map { $0 }, "completion": completion]
                    as KeyValuePairs<String, Any>)
        }
    }
}

extension Record: Codable where Output: Codable, Failure: Codable {}

extension Record.Recording: Codable where Output: Codable, Failure: Codable {
    private enum CodingKeys: String, CodingKey {
        case output
        case completion
    }

    /// Reads what ``encode(to:)`` writes; the recording is complete.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let output = try container.decode([Output].self, forKey: .output)
        let completion = try container.decode(Subscribers.Completion<Failure>.self, forKey: .completion)
        self.init(output: output, completion: completion)
    }

    /// Writes the values and the completion.
    public func encode(into encoder: any Encoder) throws {
        try encode(to: encoder)
    }

    /// Writes the values and the completion.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(output, forKey: .output)
        try container.encode(completion, forKey: .completion)
    }
}
