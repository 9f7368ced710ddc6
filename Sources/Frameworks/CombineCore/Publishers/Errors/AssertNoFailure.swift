extension Publishers {
    /// A publisher that traps when upstream fails.
    public struct AssertNoFailure<Upstream: Publisher>: Publisher {
        /// The output type of the upstream publisher.
        public typealias Output = Upstream.Output
        /// No failure: the process traps instead.
        public typealias Failure = Never

        /// The publisher that this publisher receives values from.
        public let upstream: Upstream

        /// The prefix of the trap message.
        public let prefix: String

        /// The file that the trap message names.
        public let file: StaticString

        /// The line that the trap message names.
        public let line: UInt

        /// Creates the publisher. Nothing runs until a subscriber attaches.
        @inlinable
        public init(upstream: Upstream, prefix: String, file: StaticString, line: UInt) {
            self.upstream = upstream
            self.prefix = prefix
            self.file = file
            self.line = line
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, S.Failure == Never {
            upstream.receive(subscriber: Inner(downstream: subscriber, prefix: prefix, file: file, line: line))
        }

        @usableFromInline
        struct Inner<Downstream: Subscriber>: PassingSubscriber
        where Downstream.Input == Upstream.Output, Downstream.Failure == Never {
            @usableFromInline let downstream: Downstream
            @usableFromInline let prefix: String
            @usableFromInline let file: StaticString
            @usableFromInline let line: UInt

            @inlinable
            init(downstream: Downstream, prefix: String, file: StaticString, line: UInt) {
                self.downstream = downstream
                self.prefix = prefix
                self.file = file
                self.line = line
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                switch completion {
                case .finished: downstream.receive(completion: .finished)
                // The location is the caller's, so the crash report names the assertion and not this file.
                case .failure(let error): preconditionFailure("\(prefix): \(error)", file: file, line: line)
                }
            }

            @usableFromInline var customMirror: Mirror {
                Mirror(
                    self, children: ["file": file, "line": line, "prefix": prefix] as KeyValuePairs<String, Any>)
            }
        }
    }
}

extension Publisher {
    /// Traps with a message that starts with `prefix` when this publisher fails.
    @inlinable
    public func assertNoFailure(_ prefix: String = "", file: StaticString = #file, line: UInt = #line)
        -> Publishers.AssertNoFailure<Self>
    {
        Publishers.AssertNoFailure(upstream: self, prefix: prefix, file: file, line: line)
    }
}
