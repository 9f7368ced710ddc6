import Locking

extension Publishers {
    /// A publisher that prints the events of a stream and forwards them unchanged.
    public struct Print<Upstream: Publisher>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// The failure type of the upstream publisher.
        public typealias Failure = Upstream.Failure

        /// The prefix of each line.
        public let prefix: String

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// The stream to print to; nil for the standard output.
        public let stream: (any TextOutputStream)?

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        public init(upstream: Upstream, prefix: String, to stream: (any TextOutputStream)? = nil) {
            self.upstream = upstream
            self.prefix = prefix
            self.stream = stream
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
            upstream.receive(subscriber: Inner(subscriber, prefix, stream))
        }

        /// The conduit behind `print`. The gate serializes only the printing; events are forwarded as they arrive.
        @usableFromInline
        final class Inner<Downstream: Subscriber>: UpstreamConduit, Subscriber
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            /// Guarded by `lock`, and released at the end.
            @exclusivity(unchecked) private var downstream: Downstream?
            private let prefix: String
            /// Accessed inside the gate.
            @exclusivity(unchecked) private var stream: AnyTextStream?

            @usableFromInline
            init(_ downstream: Downstream, _ prefix: String, _ stream: (any TextOutputStream)?) {
                self.downstream = downstream
                // Combine separates only a prefix that is not empty.
                self.prefix = prefix.isEmpty ? "" : prefix + ": "
                self.stream = stream.map(AnyTextStream.init)
                super.init { unsafeDowncast($0, to: Inner<Downstream>.self).handle($1) }
            }

            @usableFromInline
            func handle(_ command: Command) {
                switch command {
                case .request(let more):
                    log("request \(Self.words(for: more))")
                    requestUpstream(more)
                case .cancel:
                    log("receive cancel")
                    endAndCancel()
                case .drainPending:
                    // The reference is released after unlocking: its deinitializer may call back.
                    if demand.isEnded { withExtendedLifetime(takeDownstream()) {} }
                }
            }

            @usableFromInline
            func receive(subscription: any Subscription) {
                // Printed even if the subscription is then rejected, as the text shows the events that arrive.
                log("receive subscription: (\(subscription))")
                if accept(subscription) { lock.withLock { downstream }?.receive(subscription: self) }
            }

            @usableFromInline
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                log("receive value: (\(input))")
                // Downstream is called outside the gate: the gate only keeps the lines of several threads apart.
                guard let more = lock.withLock({ downstream })?.receive(input) else { return .none }
                if more.rawValue > 0 { log("request \(Self.words(for: more)) (synchronous)") }
                return more
            }

            @usableFromInline
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                switch completion {
                case .finished: log("receive finished")
                case .failure(let error): log("receive error: (\(error))")
                }
                guard demand.end() else { return }
                takeUpstream()
                // Removed, so that downstream is released when the stream ends, even if the subscription is retained
                // longer.
                takeDownstream()?.receive(completion: completion)
            }

            private func takeDownstream() -> Downstream? {
                lock.withLock {
                    let taken = downstream
                    downstream = nil
                    return taken
                }
            }

            private static func words(for demand: Subscribers.Demand) -> String {
                demand.max.map { "max: (\($0))" } ?? "unlimited"
            }

            private func log(_ text: String) {
                let outermost = enter()
                if let stream {
                    stream.write(prefix + text + "\n")
                } else {
                    Swift.print(prefix + text)
                }
                exit(outermost)
            }
        }
    }
}

/// A type-erased text stream.
private final class AnyTextStream {
    private var stream: any TextOutputStream

    init(_ stream: any TextOutputStream) {
        self.stream = stream
    }

    func write(_ text: String) {
        // Writing mutates the stream. A copy keeps the access short in case `write` prints through this object again.
        var copy = stream
        copy.write(text)
        stream = copy
    }
}

extension Publisher {
    /// Prints each event of the stream, prefixed with `prefix`, to `stream` or to the standard output.
    public func print(_ prefix: String = "", to stream: (any TextOutputStream)? = nil) -> Publishers.Print<Self> {
        Publishers.Print(upstream: self, prefix: prefix, to: stream)
    }
}
