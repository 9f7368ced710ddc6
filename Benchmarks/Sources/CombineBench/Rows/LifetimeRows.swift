import CombineCore
import Dispatch

/// The whole lifetime of subscriptions.
let lifetimeRows = [
    Row("subscribe + cancel, bare sink") { rounds in
        let tally = Tally()
        let subject = PassthroughSubject<Int, Never>()
        for _ in 0..<rounds { subject.sink { tally.add($0) }.cancel() }
        subject.send(1)
        return tally.finish() &+ rounds
    },
    Row("subscribe + cancel, three operators") { rounds in
        let tally = Tally()
        let subject = PassthroughSubject<Int, Never>()
        for _ in 0..<rounds {
            subject.map { $0 &+ 1 }.filter { $0 > 0 }.map { $0 &* 2 }.sink { tally.add($0) }.cancel()
        }
        subject.send(1)
        return tally.finish() &+ rounds
    },
    Row("Just → sink, whole life") { rounds in
        let tally = Tally()
        for value in 0..<rounds { _ = Just(value).sink { tally.add($0) } }
        return tally.finish()
    },
    Row("range → map → filter → reduce, per element") { rounds in
        let tally = Tally()
        let token = (0..<rounds).publisher.map { $0 &+ 1 }.filter { $0 > 0 }.reduce(0) { $0 &+ $1 }
            .sink { tally.add($0) }
        token.cancel()
        return tally.finish()
    },
    Row("values, per element") { rounds in
        // The main thread waits, because valgrind fails if it exits, as the main thread of an asynchronous program
        // does.
        let done = DispatchSemaphore(value: 0)
        let tally = Tally()
        Task.detached {
            for await value in (0..<rounds).publisher.map({ $0 &+ 1 }).values { tally.add(value) }
            done.signal()
        }
        done.wait()
        return tally.finish()
    },
]
