import CombineCore
import Dispatch
import Foundation
import Synchronization

/// Events from two concurrent threads, each with half of the rounds.
let threadRows = [
    Row("two threads, one subject, one sink", isContended: true) { rounds in
        let tally = Tally()
        let subject = Shared(PassthroughSubject<Int, Never>())
        let token = subject.value.sink { tally.add($0) }
        onTwoThreads { _ in
            for value in 0..<rounds / 2 { subject.value.send(value) }
        }
        token.cancel()
        return tally.finish()
    },
    Row("two threads, merge of their subjects", isContended: true) { rounds in
        let tally = Tally()
        let subjects = Shared([PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()])
        let token = subjects.value[0].merge(with: subjects.value[1]).sink { tally.add($0) }
        onTwoThreads { index in
            let subject = subjects.value[index]
            for value in 0..<rounds / 2 { subject.send(value) }
        }
        token.cancel()
        return tally.finish()
    },
    Row("two threads, a CurrentValueSubject each", isContended: true) { rounds in
        let subjects = Shared([CurrentValueSubject<Int, Never>(0), CurrentValueSubject<Int, Never>(0)])
        let tallies = [Tally(), Tally()]
        let tokens = (0..<2).map { index in
            let tally = tallies[index]
            return subjects.value[index].sink { tally.add($0) }
        }
        onTwoThreads { index in
            let subject = subjects.value[index]
            for value in 0..<rounds / 2 { subject.send(value) }
        }
        for token in tokens { token.cancel() }
        return tallies[0].finish() &+ tallies[1].finish()
    },
]

/// Passes a value that is safe on several threads to another thread.
private struct Shared<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}

/// Calls `body` with 0 and 1 on two threads that start together, and waits for both.
private func onTwoThreads(_ body: @escaping @Sendable (Int) -> Void) {
    let start = StartingLine()
    let group = DispatchGroup()
    for index in 0..<2 {
        group.enter()
        Thread.detachNewThread {
            start.wait()
            body(index)
            group.leave()
        }
    }
    group.wait()
}

/// A barrier for two threads; the first one yields the processor until the other arrives.
private final class StartingLine: Sendable {
    private let arrived = Atomic(0)

    func wait() {
        arrived.wrappingAdd(1, ordering: .acquiringAndReleasing)
        while arrived.load(ordering: .acquiring) < 2 { sched_yield() }
    }
}
