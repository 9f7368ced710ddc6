import CombineCore
import Dispatch
import StackTesting
import Testing

@testable import ComposableArchitecture

@Suite struct EffectTests {
    private struct Failure: Error, Equatable {}

    @Test func `constructors deliver the expected values`() {
        #expect(events(of: Effect<Int, Failure>(value: 1)) == ["1", "finished"])
        #expect(events(of: Effect<Int, Failure>(error: Failure())) == ["failure"])
        #expect(events(of: Effect<Int, Failure>.none) == ["finished"])
        #expect(events(of: Effect<Int, Never>.future { $0(.success(3)) }) == ["3", "finished"])
        #expect(events(of: Effect<Int, Failure>.result { .failure(Failure()) }) == ["failure"])
        #expect(events(of: Effect<Int, any Error>.catching { throw Failure() }) == ["failure"])
        #expect(events(of: Effect<Int, any Error>.catching { 4 }) == ["4", "finished"])
        #expect(events(of: Effect<Int, Never>.fireAndForget {}) == ["finished"])
        #expect(events(of: Effect<Never, Never>.none.fireAndForget() as Effect<Int, Never>) == ["finished"])
        #expect(events(of: Effect<Int, Never>(value: 2).map { $0 * 2 }) == ["4", "finished"])
    }

    @Test func `no work starts before a subscription, and each subscription repeats it`() {
        var runs = 0
        let effects: [Effect<Int, any Error>] = [
            .future { callback in
                runs += 1
                callback(.success(runs))
            },
            .result {
                runs += 1
                return .success(runs)
            },
            .catching {
                runs += 1
                return runs
            },
            .fireAndForget { runs += 1 },
        ]
        #expect(runs == 0)
        for effect in effects {
            _ = events(of: effect)
            _ = events(of: effect)
        }
        #expect(runs == 8)
    }

    @Test func `a failure becomes a value, and the values of a publisher become results`() {
        let effect = Fail<Int, Failure>(error: Failure()).catchToEffect()
        var results: [Result<Int, Failure>] = []
        _ = effect.sink { results.append($0) }
        _ = Just(1).setFailureType(to: Failure.self).catchToEffect().sink { results.append($0) }
        #expect(results == [.failure(Failure()), .success(1)])
    }

    @Test func `concatenated effects run one after another, merged ones concurrently`() {
        let scheduler = DispatchQueue.test
        func delayed(_ value: Int, _ seconds: Int) -> Effect<Int, Never> {
            Effect(value: value).delay(for: .seconds(seconds), scheduler: scheduler).eraseToEffect()
        }
        var chained: [Int] = []
        var merged: [Int] = []
        let tokens = [
            Effect<Int, Never>.concatenate(delayed(1, 1), delayed(2, 2), delayed(3, 3)).sink { chained.append($0) },
            Effect<Int, Never>.merge(delayed(3, 3), delayed(1, 1), delayed(2, 2)).sink { merged.append($0) },
        ]
        scheduler.advance(by: 1)
        #expect([chained, merged] == [[1], [1]])
        scheduler.advance(by: 2)
        #expect([chained, merged] == [[1, 2], [1, 2, 3]])
        scheduler.advance(by: 3)
        #expect(chained == [1, 2, 3])
        withExtendedLifetime(tokens) {}
    }

    @Test(.smallStack) func `a chain of 10,000 effects does not grow the stack, and an empty chain is none`() {
        var count = 0
        let chain = Effect<Int, Never>.concatenate((0..<10_000).map { _ in Just(1).eraseToEffect() })
        let token = chain.sink { count += $0 }
        #expect(count == 10_000)
        #expect(Effect<Int, Never>.concatenate().isNone)
        #expect(Effect<Int, Never>.merge(.none, .none).isNone)
        withExtendedLifetime(token) {}
    }

    @Test func `a failure ends a chain`() {
        let chain = Effect<Int, Failure>.concatenate(Effect(value: 1), Effect(error: Failure()), Effect(value: 2))
        #expect(events(of: chain) == ["1", "failure"])
    }

    @Test func `run buffers values until there is demand, and tears down once`() {
        var teardowns = 0
        let effect = Effect<Int, Never>.run { subscriber in
            subscriber.send(1)
            subscriber.send(2)
            return AnyCancellable { teardowns += 1 }
        }
        var received: [Int] = []
        var subscription: (any Subscription)?
        let observer = AnySubscriber<Int, Never>(
            receiveSubscription: { subscription = $0 },
            receiveValue: {
                received.append($0)
                return .none
            })
        effect.receive(subscriber: observer)
        #expect(received.isEmpty)
        subscription?.request(.max(1))
        #expect(received == [1])
        subscription?.request(.max(1))
        #expect(received == [1, 2])
        #expect(teardowns == 0)
        subscription?.cancel()
        subscription?.cancel()
        #expect(teardowns == 1)
    }

    @Test func `a subscriber that is retained after the end does nothing`() {
        var kept: Effect<Int, Never>.Subscriber?
        var teardowns = 0
        var values: [Int] = []
        let token = Effect<Int, Never>.run { subscriber in
            kept = subscriber
            return AnyCancellable { teardowns += 1 }
        }
        .sink { values.append($0) }
        kept?.send(1)
        kept?.send(completion: .finished)
        kept?.send(2)
        #expect(values == [1])
        #expect(teardowns == 1)
        token.cancel()
        #expect(teardowns == 1)
    }

    private func events<Output, Failure: Error>(of effect: Effect<Output, Failure>) -> [String] {
        var events: [String] = []
        let token = effect.sink(
            receiveCompletion: { completion in
                if case .failure = completion { events.append("failure") } else { events.append("finished") }
            }, receiveValue: { events.append("\($0)") })
        withExtendedLifetime(token) {}
        return events
    }
}
