extension Publishers {
    /// Traps when upstream fails.
    public struct AssertNoFailure<Upstream: Publisher>: Publisher {
        /// The values are those of upstream.
        public typealias Output = Upstream.Output
        /// There is no failure that the process would survive.
        public typealias Failure = Never

        /// Where the values come from.
        public let upstream: Upstream

        /// What the message of the trap begins with.
        public let prefix: String

        /// The file that the trap names.
        public let file: StaticString

        /// The line that the trap names.
        public let line: UInt

        /// Makes the publisher; nothing happens before somebody subscribes.
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
        @frozen
        struct Inner<Downstream: Subscriber>: Subscriber, DescribedSubscriber
        where Downstream.Input == Upstream.Output, Downstream.Failure == Never {
            @usableFromInline typealias Input = Upstream.Output
            @usableFromInline typealias Failure = Upstream.Failure

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

            @inlinable var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

            @inlinable
            func receive(subscription: any Subscription) {
                downstream.receive(subscription: subscription)
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                downstream.receive(input)
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                switch completion {
                case .finished: downstream.receive(completion: .finished)
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
    /// Traps when this publisher fails, with a message that begins with `prefix`.
    @inlinable
    public func assertNoFailure(_ prefix: String = "", file: StaticString = #file, line: UInt = #line)
        -> Publishers.AssertNoFailure<Self>
    {
        Publishers.AssertNoFailure(upstream: self, prefix: prefix, file: file, line: line)
    }
}
