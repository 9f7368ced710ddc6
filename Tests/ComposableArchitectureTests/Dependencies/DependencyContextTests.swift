import CombineCore
import CombineSchedulers
import Foundation
import FoundationNetworking
import Locking
import Testing

@testable import ComposableArchitecture

/// A client without a value for tests.
private struct Client: DependencyKey, Sendable {
    var load: @Sendable () -> String
    var save: @Sendable () -> Void = {}

    static var liveValue: Client { Client { "live" } }
    static var previewValue: Client { Client { "preview" } }
}

/// A client that keeps state.
private final class Counter: TestDependencyKey, Sendable {
    static let made = LockIsolated(0)
    let count = LockIsolated(0)

    static var testValue: Counter {
        made.withValue { $0 += 1 }
        return Counter()
    }
}

private enum OptionalKey: DependencyKey {
    static var liveValue: String? { "live" }
    static var testValue: String? { "test" }
}

private enum OuterKey: TestDependencyKey {
    static var testValue: @Sendable () -> String {
        @Dependency(Client.self) var client
        return { client.load() }
    }
}

@Suite struct DependencyContextTests {
    @Test func `a test has the values of tests`() {
        #expect(DependencyValues._current.context == .test)
        @Dependency(OptionalKey.self) var text
        #expect(text == "test")
        withDependencies {
            $0 = .live
        } operation: {
            #expect(text == "live")
        }
        withDependencies {
            $0[OptionalKey.self] = nil
        } operation: {
            #expect(text == nil)
        }
    }

    @Test func `values of Foundation are those of the process unless they are overridden`() {
        withDependencies {
            $0 = .live
        } operation: {
            @Dependency(\.notificationCenter) var center
            @Dependency(\.urlSession) var session
            #expect(center === NotificationCenter.default)
            #expect(session === URLSession.shared)
        }
        let center = NotificationCenter()
        let scheduler = RunLoop.test
        var ran = false
        withDependencies {
            $0.notificationCenter = center
            $0.mainRunLoop = scheduler.eraseToAnyScheduler()
        } operation: {
            @Dependency(\.notificationCenter) var current
            @Dependency(\.mainRunLoop) var loop
            #expect(current === center)
            loop.schedule { ran = true }
        }
        #expect(!ran)
        scheduler.advance()
        #expect(ran)
    }

    @Test func `names of environments are those of the originals`() {
        #expect(DependencyContext(named: "live") == .live)
        #expect(DependencyContext(named: "preview") == .preview)
        #expect(DependencyContext(named: "test") == .test)
        #expect(DependencyContext(named: "Test") == nil)
    }

    @Test func `a value without one for tests is that of previews, and an issue`() {
        let found = issues {
            @Dependency(Client.self) var client
            #expect(client.load() == "preview")
            #expect(client.load() == "preview")
        }
        #expect(found.count == 1)
        #expect(found.first?.contains("has no value for tests") == true)
    }

    @Test func `a missing value is attributed to the property`() {
        enum Key: DependencyKey {
            static var liveValue: Int { 1 }
        }
        enum TestKey: TestDependencyKey {
            static var testValue: Int { 2 }
        }
        let found = Lock<[UInt]>([])
        @Dependency(Key.self) var number
        @Dependency(\.locale) var locale
        @Dependency(TestKey.self) var testNumber
        let last: UInt = #line - 1
        withIssueHandler { issue in
            if "\(issue.file)".hasSuffix("/DependencyContextTests.swift") { found.withLock { $0.append(issue.line) } }
        } body: {
            _ = number
            _ = locale
            withDependencies {
                $0.context = .live
            } operation: {
                _ = testNumber
            }
        }
        #expect(found.withLock { $0 } == [last - 2, last - 1, last])
    }

    @Test func `a property can have the concrete type of a dependency`() {
        enum Key: DependencyKey {
            static var liveValue: any Sendable { 1 }
            static var testValue: any Sendable { "none" }
        }
        withDependencies {
            $0.continuousClock = ImmediateClock()
        } operation: {
            @Dependency(\.continuousClock, as: ImmediateClock<Duration>.self) var clock
            @Dependency(Key.self, as: String.self) var word
            #expect(clock.now.offset == .zero)
            #expect(word == "none")
        }
    }

    @Test func `overriding a part of a value is no use of it`() {
        let found = issues {
            withDependencies {
                $0[Client.self].load = { "own" }
            } operation: {
                @Dependency(Client.self) var client
                #expect(client.load() == "own")
            }
            let store = Store(initialState: "") {
                Reduce<String, Void> { state, _ in
                    @Dependency(Client.self) var client
                    state = client.load()
                    return .none
                }
            } withDependencies: {
                $0[Client.self].load = { "of the store" }
            }
            store.send(())
            #expect(store.withState { $0 } == "of the store")
        }
        #expect(found == [])
    }

    @Test func `a value without one for production is an issue, unless a part of it is overridden`() {
        let found = issues {
            withDependencies {
                $0 = .live
            } operation: {
                withDependencies {
                    $0[Counter.self].count.setValue(3)
                } operation: {
                    #expect(DependencyValues._current[Counter.self].count.value == 3)
                }
            }
            withDependencies {
                $0 = .live
            } operation: {
                _ = DependencyValues._current[Counter.self]
            }
        }
        #expect(found.count == 1)
        #expect(found.first?.contains("has no value for production") == true)
    }

    @Test func `a default value is created once in a test, for all readers`() async {
        @Dependency(Counter.self) var counter
        counter.count.setValue(42)
        #expect(counter.count.value == 42)
        let reader = Store(initialState: 0) {
            Reduce<Int, Void> { state, _ in
                state = counter.count.value
                return .none
            }
        }
        reader.send(())
        #expect(reader.withState { $0 } == 42)
        let fresh = withDependencies {
            $0 = .test
        } operation: {
            counter.count.value
        }
        #expect(fresh == 0)
    }

    @Test func `another test has another default value`() {
        @Dependency(Counter.self) var counter
        #expect(counter.count.value == 0)
    }

    @Test func `a default value can read other dependencies`() {
        withDependencies {
            $0[Client.self].load = { "own" }
        } operation: {
            @Dependency(OuterKey.self) var outer
            #expect(outer() == "own")
            withDependencies {
                $0[Client.self].load = { "inner" }
            } operation: {
                #expect(outer() == "inner")
            }
        }
    }

    @Test func `threads do not create a default value twice`() async {
        final class Slow: TestDependencyKey, Sendable {
            static let made = LockIsolated(0)
            static var testValue: Slow {
                made.withValue { $0 += 1 }
                return Slow()
            }
        }
        for round in 1...50 {
            await withDependencies {
                $0 = .test
            } operation: {
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<8 { group.addTask { _ = DependencyValues._current[Slow.self] } }
                }
            }
            #expect(Slow.made.value == round)
        }
    }
}

@Suite struct EscapedDependencyTests {
    private enum NumberKey: TestDependencyKey {
        static var testValue: Int { 3 }
    }

    private static var number: Int {
        @Dependency(NumberKey.self) var number
        return number
    }

    @Test func `a continuation restores the dependencies in a closure that runs later`() async {
        let later = LockIsolated<[@Sendable () -> Int]>([])
        withDependencies {
            $0[NumberKey.self] = 42
        } operation: {
            withEscapedDependencies { dependencies in
                later.withValue {
                    $0 = [
                        { Self.number }, { dependencies.yield { Self.number } },
                        {
                            dependencies.yield {
                                withDependencies {
                                    $0[NumberKey.self] += 1
                                } operation: {
                                    Self.number
                                }
                            }
                        },
                    ]
                }
            }
        }
        #expect(later.value.map { $0() } == [3, 42, 43])
    }

    @Test func `a continuation restores the dependencies in an asynchronous closure`() async {
        let continuation = await withDependencies {
            $0[NumberKey.self] = 42
        } operation: {
            await withEscapedDependencies { dependencies in
                await Task.yield()
                return dependencies
            }
        }
        let found = await continuation.yield {
            await Task.yield()
            return Self.number
        }
        #expect(found == 42)
    }

    private class Parent {
        func child() async -> Child {
            await withDependencies(from: self) {
                await Task.yield()
                return Child()
            }
        }
    }

    private final class Child: Parent {
        @Dependency(NumberKey.self) var number
    }

    @Test func `an asynchronous child gets the dependencies of a parent without a property`() async {
        let parent = withDependencies {
            $0[NumberKey.self] = 5
        } operation: {
            Parent()
        }
        let child = await parent.child()
        let grandchild = await child.child()
        #expect(grandchild.number == 5)
        let other = await withDependencies(from: grandchild) {
            $0[NumberKey.self] += 1
        } operation: {
            await Task.yield()
            return Child()
        }
        #expect(other.number == 6)
    }

    @Test func `an object without dependencies is reported`() {
        let found = issues { withDependencies(from: Parent()) { #expect(Self.number == 3) } }
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("expected Parent to have dependencies") == true)
    }
}

@Suite struct StandardDependencyTests {
    @Test func `failed assertions are issues of a test`() {
        @Dependency(\.assert) var assert
        @Dependency(\.assertionFailure) var assertionFailure
        @Dependency(\.precondition) var precondition
        let found = issues {
            assert(true)
            precondition(true, "unused")
            assert(false, "a")
            precondition(false, "b")
            assertionFailure("c")
        }
        #expect(found == ["a", "b", "c"])
    }

    @Test func `assertions can be replaced`() {
        let messages = LockIsolated<[String]>([])
        withDependencies {
            $0.assert = AnyAssertionEffect { condition, message, _, _ in
                if condition() { return }
                let text = message()
                messages.withValue { $0.append(text) }
            }
        } operation: {
            @Dependency(\.assert) var assert
            @Dependency(\.assertionFailure) var assertionFailure
            assert(true, "a")
            assert(false, "b")
            assertionFailure("c")
        }
        #expect(messages.value == ["b", "c"])
    }

    @Test func `a test waits for a task that nobody waits for`() async {
        @Dependency(\.fireAndForget) var fireAndForget
        let isDone = LockIsolated(false)
        await fireAndForget {
            await Task.yield()
            isDone.setValue(true)
            throw CancellationError()
        }
        #expect(isDone.value)
    }

    @Test func `in production nobody waits for the task, which has the dependencies`() async {
        await withDependencies {
            $0.context = .live
            $0.date.now = Date(timeIntervalSinceReferenceDate: 7)
        } operation: {
            @Dependency(\.fireAndForget) var fireAndForget
            let (dates, continuation) = AsyncStream<Date>.makeStream()
            await fireAndForget {
                @Dependency(\.date.now) var now
                continuation.yield(now)
            }
            let first = await dates.first { _ in true }
            #expect(first == Date(timeIntervalSinceReferenceDate: 7))
        }
    }

    @Test func `URLs are opened by the override`() async throws {
        let url = try #require(URL(string: "https://example.com"))
        let opened = LockIsolated<[URL]>([])
        await withDependencies {
            $0.openURL = OpenURLEffect { url in
                opened.withValue { $0.append(url) }
                return true
            }
        } operation: {
            @Dependency(\.openURL) var openURL
            await openURL(url)
        }
        #expect(opened.value == [url])
        let found = await issues {
            @Dependency(\.openURL) var openURL
            #expect(await openURL(url) == false)
        }
        #expect(found.count == 1)
    }
}
