import CombineCore
import Locking
import Log
import StateCapture

/// An effect that was asked by a subscription.
final class AwaitedAnswer<Question: Codable, Answer: Encodable, Failure: Error>: RunningEffect, Subscription {
    /// A signal that the effect sends to its subscriber.
    private enum Signal {
        case value(Answer)
        case failure(Failure)
        case finished

        /// The reason of a failure for a span; nil for others.
        var failure: String? { if case .failure(let error) = self { LogValue.text(of: error) } else { nil } }
    }

    /// The side of the subscriber, which may use any thread.
    private struct Delivery {
        /// Nil once the subscription has ended.
        var subscriber: AnySubscriber<Answer, Failure>?
        var hasDemand = false
        var answer: Answer?
    }

    private let declaration: EffectDeclaration<Question, Answer, Failure>
    private let question: Question
    private let names: [String]
    private let delivery: Lock<Delivery>
    private var lease: UInt64 = 1
    private var key = ""
    private var isForeign = false
    private var asking: AnyCancellable?
    /// The span of this attempt; nil if the effect belongs to no sampled trace.
    private var span: EffectSpan?

    init(_ publisher: EffectPublisher<Question, Answer, Failure>, _ subscriber: AnySubscriber<Answer, Failure>) {
        declaration = publisher.declaration
        question = publisher.question
        names = publisher.cancellationNames
        delivery = Lock(Delivery(subscriber: subscriber))
        super.init(publisher.effects, name: declaration.name)
    }

    override var cancellationNames: [String] { names }

    override var startsBeforeCommit: Bool { declaration.startsBeforeCommit }

    override var isCancelled: Bool { delivery.withLock { $0.subscriber == nil } }

    override func work() throws -> OpenEffect.Work {
        key = EffectKey.random()
        return .answer(question: try EffectJSON.encode(question)[...], key: key)
    }

    override func start() {
        guard !effects.isReplaying else { return }
        assert(asking == nil, "expected to ask once, got \"\(name)\" for the second time")
        if key.isEmpty { key = EffectKey.random() }
        let call = EffectCall(name: name, idempotencyKey: key, attempt: lease)
        span = effects.beginSpan(in: trace)
        // The operators of the Extra are not parts of the machine: its effect is asked again as a whole.
        asking = StateRegistry.withoutRegistry {
            effects.withCall(call, in: span) {
                var hasAnswer = false
                return declaration.ask(question).first().sink { [weak self] completion in
                    switch completion {
                    case .finished: if !hasAnswer { self?.receive(.finished) }
                    case .failure(let error): self?.receive(.failure(error))
                    }
                } receiveValue: { [weak self] answer in
                    hasAnswer = true
                    self?.receive(.value(answer))
                }
            }
        }
    }

    override func stop() {
        // Released after the property is cleared: the cancellation may call back.
        let former = asking
        asking = nil
        former?.cancel()
        // Only if no answer has ended it.
        endSpan(failure: "cancelled")
    }

    /// Takes a signal of the Extra, on any thread, into a turn of the session.
    private func receive(_ signal: Signal) {
        let transfer = UnsafeTransfer((self, signal))
        effects.schedule { transfer.value.0.end(with: transfer.value.1) }
    }

    /// Ends the effect, in a turn.
    private func end(with signal: Signal) {
        effects.assertOnLoop()
        guard effects.isOpen(self) else { return }
        let answered = span?.link
        endSpan(failure: signal.failure)
        effects.continuing(answered) {
            effects.end(self, outcome(of: signal))
            send(signal)
        }
    }

    private func endSpan(failure: String?) {
        guard let span else { return }
        self.span = nil
        effects.record(span, of: name, attempt: lease, failure: failure)
    }

    private func outcome(of signal: Signal) -> EffectEvent.Outcome {
        switch signal {
        case .finished: return .finished
        case .failure(let error): return .failure(EffectJSON.describe(error)[...])
        case .value(let answer):
            do {
                return .answer(try EffectJSON.encode(answer)[...])
            } catch {
                effects.fail(UnstorableEffect(effect: name, part: "answer", cause: error))
                return .finished
            }
        }
    }

    private func send(_ signal: Signal) {
        switch signal {
        case .value(let answer):
            let subscriber = delivery.withLock { delivery -> AnySubscriber<Answer, Failure>? in
                guard delivery.hasDemand else {
                    delivery.answer = answer
                    return nil
                }
                defer { delivery.subscriber = nil }
                return delivery.subscriber
            }
            _ = subscriber?.receive(answer)
            subscriber?.receive(completion: .finished)
        case .failure(let error): takeSubscriber()?.receive(completion: .failure(error))
        case .finished: takeSubscriber()?.receive(completion: .finished)
        }
    }

    private func takeSubscriber() -> AnySubscriber<Answer, Failure>? {
        delivery.withLock { delivery in
            defer { delivery.subscriber = nil }
            return delivery.subscriber
        }
    }

    // The side of the subscriber.

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        let late = delivery.withLock { delivery -> (AnySubscriber<Answer, Failure>, Answer)? in
            delivery.hasDemand = true
            guard let answer = delivery.answer, let subscriber = delivery.subscriber else { return nil }
            delivery = Delivery(subscriber: nil, hasDemand: true)
            return (subscriber, answer)
        }
        guard let (subscriber, answer) = late else { return }
        _ = subscriber.receive(answer)
        subscriber.receive(completion: .finished)
    }

    func cancel() {
        let former = delivery.withLock { delivery in
            defer { delivery.answer = nil }
            defer { delivery.subscriber = nil }
            return delivery.subscriber
        }
        if former != nil { effects.cancel(self) }
    }

    // After a restore.

    override func matches(_ stored: OpenEffect) -> Bool {
        guard stored.name == name, case .answer(let json, _) = stored.work else { return false }
        if let own = try? EffectJSON.encode(question), own[...] == json { return true }
        // The order of a set's elements, for example, differs between processes.
        guard let own = question as? any Equatable, let question = try? EffectJSON.decode(Question.self, from: json)
        else { return false }
        return own.equals(question)
    }

    override func adopt(_ stored: OpenEffect) {
        super.adopt(stored)
        lease = stored.lease
        isForeign = stored.isForeign
        if case .answer(_, let key) = stored.work { self.key = key }
    }

    override func resume() -> Bool {
        switch declaration.onCrash.reaction {
        case .again where !isForeign:
            lease += 1
            effects.askAgain(self, lease: lease)
            return false
        case .again:
            // Only an effect that can fail with any error can report this one.
            interrupt(with: (EffectInterrupted() as any Error) as? Failure)
        case .fail(let error): interrupt(with: error)
        }
        return true
    }

    private func interrupt(with error: Failure?) {
        effects.end(self, .interrupted)
        send(error.map(Signal.failure) ?? .finished)
    }

    override func finishSilently() {
        send(.finished)
    }

    override func replay(_ outcome: EffectEvent.Outcome) throws {
        switch outcome {
        case .answer(let json):
            guard let type = Answer.self as? any Decodable.Type,
                let answer = try? EffectJSON.decode(type, from: json) as? Answer
            else { throw UnreplayableOutcome(effect: name, json: json, type: "\(Answer.self)") }
            end(with: .value(answer))
        case .failure(let json):
            guard let failure = recordedFailure(json) else {
                throw UnreplayableOutcome(effect: name, json: json, type: "\(Failure.self)")
            }
            end(with: .failure(failure))
        case .finished, .cancelled, .interrupted: end(with: .finished)
        }
    }

    /// Returns the failure from its JSON; where any error may be thrown, one that stands for it.
    private func recordedFailure(_ json: ArraySlice<UInt8>) -> Failure? {
        if let type = Failure.self as? any Decodable.Type,
            let failure = try? EffectJSON.decode(type, from: json) as? Failure
        {
            return failure
        }
        return RecordedFailure(json: String(decoding: json, as: UTF8.self)) as? Failure
    }
}

extension Equatable {
    fileprivate func equals(_ other: Any) -> Bool { (other as? Self) == self }
}
