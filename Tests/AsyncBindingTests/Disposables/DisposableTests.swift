import Dispatch
import Synchronization
import Testing

@testable import AsyncBinding

struct DisposableTests {
    private final class Counter: Disposable {
        private let times = Atomic(0)
        var count: Int { times.load(ordering: .sequentiallyConsistent) }
        var isDisposed: Bool { count > 0 }
        func dispose() { times.add(1, ordering: .sequentiallyConsistent) }
    }

    @Test func `an action runs once`() {
        let counter = Counter()
        let disposable = AnyDisposable { counter.dispose() }
        #expect(!disposable.isDisposed)
        disposable.dispose()
        disposable.dispose()
        #expect(counter.count == 1)
        #expect(disposable.isDisposed)
    }

    @Test func `a task is a disposable that is cancelled`() async {
        let task = Task { while !Task.isCancelled { await Task.yield() } }
        #expect(!task.isDisposed)
        task.dispose()
        #expect(task.isDisposed)
        await task.value
    }

    @Test func `a bag disposes of its members when it is told to, and when it goes away`() {
        let (one, other) = (Counter(), Counter())
        let first = CompositeDisposable([one])
        first.dispose()
        #expect(one.count == 1)
        #expect(first.isDisposed)
        var second: CompositeDisposable? = CompositeDisposable()
        second?.add(other)
        second = nil
        #expect(other.count == 1)
    }

    @Test func `what is added after the end is disposed of at once`() {
        let (member, action) = (Counter(), Counter())
        let bag = CompositeDisposable()
        bag.dispose()
        #expect((bag += member) == nil)
        bag += { action.dispose() }
        #expect(member.count == 1)
        #expect(action.count == 1)
    }

    @Test func `a member that is taken out is left alone`() {
        let (one, other) = (Counter(), Counter())
        let bag = CompositeDisposable()
        let handle = bag += one
        bag += other
        handle?.dispose()
        bag.dispose()
        #expect((one.count, other.count) == (0, 1))
    }

    @Test func `a bag does not grow with members that have ended`() {
        let bag = CompositeDisposable()
        for _ in 0..<10_000 {
            let member = Counter()
            bag += member
            member.dispose()
        }
        #expect(bag.count <= 64)
    }

    @Test func `a member may use the bag while it is disposed of`() {
        let bag = CompositeDisposable()
        let late = Counter()
        bag += { [weak bag] in
            bag?.add(late)
            bag?.dispose()
        }
        bag.dispose()
        #expect(late.count == 1)
    }

    @Test func `every member is disposed of once, whichever thread adds or ends`() {
        for _ in 0..<50 {
            let bag = CompositeDisposable()
            let members = (0..<64).map { _ in Counter() }
            DispatchQueue.concurrentPerform(iterations: 65) { index in
                if index == 32 { bag.dispose() } else { bag.add(members[index > 32 ? index - 1 : index]) }
            }
            #expect(members.allSatisfy { $0.count == 1 })
        }
    }
}
