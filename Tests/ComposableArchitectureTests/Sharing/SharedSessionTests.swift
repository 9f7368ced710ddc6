import CombineCore
import Locking
import Testing

@testable import ComposableArchitecture

/// Code of a session that continues where neither the session nor its store is current.
@Suite struct SharedSessionTests {
    private let one = StoredSession()
    private let two = StoredSession()

    /// Replaces the value of a key that all sessions and the program use. Returns the former value.
    private static func exchange(_ value: Int) -> Int {
        @Shared(.inMemory("session tests")) var number = 0
        return $number.withLock { number in
            defer { number = value }
            return number
        }
    }

    private struct Feature: ReducerProtocol {
        struct State: Equatable {}
        enum Action { case start }

        let isReducing: Bool
        let found = AsyncStream.makeStream(of: DependencyValues.Continuation.self)

        func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
            if isReducing {
                withEscapedDependencies { _ = found.continuation.yield($0) }
                return .none
            }
            return .run { [found] _ in withEscapedDependencies { _ = found.continuation.yield($0) } }
        }
    }

    private func continuation(of session: StoredSession, isReducing: Bool) async -> DependencyValues.Continuation? {
        let feature = Feature(isReducing: isReducing)
        let store = MainContext.with(session) { Store(initialState: Feature.State()) { feature } }
        MainContext.with(session) { _ = store.send(.start) }
        return await feature.found.stream.first { _ in true }
    }

    @Test(arguments: [false, true])
    func `a continuation sees the shared values of its session only`(isReducing: Bool) async throws {
        let first = try #require(await continuation(of: one, isReducing: isReducing))
        let second = try #require(await continuation(of: two, isReducing: isReducing))
        #expect(first.yield { Self.exchange(42) } == 0)
        #expect(second.yield { Self.exchange(7) } == 0)
        let later = await first.yield {
            await Task.yield()
            return Self.exchange(1)
        }
        #expect(later == 42)
        #expect(MainContext.with(two) { Self.exchange(2) } == 7)
        #expect(first.yield { InMemoryStorage.current.isOfSession })
        #expect(!InMemoryStorage.current.isOfSession)
        // Nor does a dependency replace them.
        first.yield {
            withDependencies {
                $0.defaultInMemoryStorage = InMemoryStorage()
            } operation: {
                #expect(Self.exchange(0) == 1)
            }
        }
    }

    @Test func `a continuation of a session without a store sees its shared values`() {
        let continuation = MainContext.with(one) { withEscapedDependencies { $0 } }
        MainContext.with(one) { _ = Self.exchange(5) }
        #expect(continuation.yield { Self.exchange(6) } == 5)
    }

    private final class Model {
        @Dependency(\.continuousClock) var clock
    }

    @Test func `the dependencies of a model bring the shared values of its session`() {
        let model = MainContext.with(one) { Model() }
        MainContext.with(one) { _ = Self.exchange(5) }
        #expect(withDependencies(from: model) { Self.exchange(6) } == 5)
        let values = DependencyValues.test
        DependencyValues.$bound.withValue(values) {
            #expect(withDependencies(from: model) { Self.exchange(7) } == 6)
        }
    }

    @Test(arguments: [false, true])
    func `an effect that is subscribed outside of a store sees the shared values of its session`(isTask: Bool) async {
        let (found, results) = AsyncStream.makeStream(of: Int.self)
        let token = MainContext.with(one) {
            _ = Self.exchange(5)
            let effect: Effect<Int, Never> =
                isTask ? .task { Self.exchange(6) } : .run { send in await send(Self.exchange(6)) }
            return effect.sink { results.yield($0) }
        }
        #expect(await found.first { _ in true } == 5)
        #expect(MainContext.with(one) { Self.exchange(0) } == 6)
        withExtendedLifetime(token) {}
    }
}

/// A session that has attachments, and runs nothing by itself. Used on one thread.
private final class StoredSession: MainSubstitute, @unchecked Sendable {
    var attachment: AnyObject?
    var now: Duration { .zero }

    func schedule(_ action: @escaping () -> Void) {}

    func schedule(after interval: Duration, _ action: @escaping () -> Void) -> any Cancellable {
        Subscriptions.empty
    }
}
