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

    @Test func `disposing of a task cancels it`() async {
        let task = Task { while !Task.isCancelled { await Task.yield() } }
        #expect(!task.isDisposed)
        task.dispose()
        #expect(task.isDisposed)
        await task.value
    }

    @Test func `a group disposes of its members on demand and when it is deallocated`() {
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

    @Test func `a member that is added after the disposal is disposed of immediately`() {
        let (member, action) = (Counter(), Counter())
        let bag = CompositeDisposable()
        bag.dispose()
        #expect((bag += member) == nil)
        bag += { action.dispose() }
        #expect(member.count == 1)
        #expect(action.count == 1)
    }

    @Test func `a removed member is not disposed of`() {
        let (one, other) = (Counter(), Counter())
        let bag = CompositeDisposable()
        let handle = bag += one
        bag += other
        handle?.dispose()
        bag.dispose()
        #expect((one.count, other.count) == (0, 1))
    }

    @Test func `a group does not grow with finished members`() {
        let bag = CompositeDisposable()
        for _ in 0..<10_000 {
            let member = Counter()
            bag += member
            member.dispose()
        }
        #expect(bag.count <= 64)
    }

    @Test func `a group releases tasks when they end`() async {
        let bag = CompositeDisposable()
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        bag += Task { for await _ in stream {} }
        bag += Task { throw Failure() }
        while bag.count > 1 { await Task.yield() }
        #expect(bag.count == 1)
        continuation.finish()
        while bag.count > 0 { await Task.yield() }
        #expect(!bag.isDisposed)
    }

    @Test func `a member may use the group during its disposal`() {
        let bag = CompositeDisposable()
        let late = Counter()
        bag += { [weak bag] in
            bag?.add(late)
            bag?.dispose()
        }
        bag.dispose()
        #expect(late.count == 1)
    }

    @Test func `every member is disposed of once, on whatever threads it is added and disposed of`() {
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
