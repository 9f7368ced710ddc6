import ComposableArchitecture
import ComposableTesting
import FoundationEssentials
import Testing

/// A client that counts its calls.
private struct Counter: TestDependencyKey, Sendable {
    var next: @Sendable () -> Int

    static var testValue: Counter {
        let count = LockIsolated(0)
        return Counter {
            count.withValue { count in
                count += 1
                return count
            }
        }
    }
}

/// A dependency that cannot be sent.
private final class Notes {
    var texts: [String] = []
}

private enum NotesKey: TestDependencyKey {
    static var testValue: UncheckedSendable<Notes> { UncheckedSendable(Notes()) }
}

extension DependencyValues {
    fileprivate var notes: Notes {
        get { self[NotesKey.self].value }
        set { self[NotesKey.self] = UncheckedSendable(newValue) }
    }
}

@Suite(.dependencies) struct FreshDependencyTests {
    @Dependency(Counter.self) private var counter

    @Test(arguments: 1...3) func `each argument has new dependencies`(_ number: Int) {
        #expect(counter.next() == 1)
    }

    @Test(.dependency(\.uuid, .incrementing), arguments: 1...3)
    func `each argument has a new override`(_ number: Int) {
        @Dependency(\.uuid) var uuid
        #expect(uuid() == UUID(0))
    }

    @Test func `prepared dependencies are those of the test`() {
        prepareDependencies { $0[Counter.self] = Counter { 7 } }
        #expect(counter.next() == 7)
    }
}

@Suite(.dependency(\.date.now, Date(timeIntervalSince1970: 1))) struct OverriddenDependencyTests {
    private static let seven = Counter { 7 }

    @Dependency(\.date.now) private var now

    @Test func `a test has the overrides of its suite`() {
        #expect(now == Date(timeIntervalSince1970: 1))
    }

    @Test(.dependencies) func `a trait of the test keeps the overrides of its suite`() {
        #expect(now == Date(timeIntervalSince1970: 1))
    }

    @Test(.dependency(\.date.now, Date(timeIntervalSince1970: 2))) func `a trait of the test replaces an override`() {
        #expect(now == Date(timeIntervalSince1970: 2))
        withDependencies {
            $0.date.now = Date(timeIntervalSince1970: 3)
        } operation: {
            #expect(now == Date(timeIntervalSince1970: 3))
        }
    }

    @Test(.dependency(seven)) func `the type of a value can be its key`() {
        @Dependency(Counter.self) var counter
        #expect(counter.next() == 7)
    }

    @Test(.dependencies { $0.notes.texts = ["a"] }, .dependency(\.calendar, Calendar(identifier: .iso8601)))
    func `several traits apply`() {
        @Dependency(\.notes) var notes
        @Dependency(\.calendar) var calendar
        #expect(notes.texts == ["a"])
        #expect(calendar.identifier == .iso8601)
    }

    @Suite struct InnerTests {
        @Test(.dependency(\.notes, Notes())) func `a suite in the suite has the overrides`() {
            @Dependency(\.date.now) var now
            #expect(now == Date(timeIntervalSince1970: 1))
        }
    }
}
