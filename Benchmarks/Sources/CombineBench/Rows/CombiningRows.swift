import CombineCore

/// Operators that combine several streams or split one.
let combiningRows = [
    Row("combineLatest of two, per input", scale: 2) { rounds in
        let tally = Tally()
        let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let token = first.combineLatest(second).sink { tally.add($0 &+ $1) }
        for value in 0..<rounds {
            first.send(value)
            second.send(value)
        }
        token.cancel()
        return tally.finish()
    },
    Row("zip of two, per input", scale: 2) { rounds in
        let tally = Tally()
        let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let token = first.zip(second).sink { tally.add($0 &+ $1) }
        for value in 0..<rounds {
            first.send(value)
            second.send(value)
        }
        token.cancel()
        return tally.finish()
    },
    Row("merge of two, per input", scale: 2) { rounds in
        let tally = Tally()
        let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let token = first.merge(with: second).sink { tally.add($0) }
        for value in 0..<rounds {
            first.send(value)
            second.send(value)
        }
        token.cancel()
        return tally.finish()
    },
    Row("merge of eight, per input", scale: 8) { rounds in
        let tally = Tally()
        let all = (0..<8).map { _ in PassthroughSubject<Int, Never>() }
        let token = all[0].merge(with: all[1], all[2], all[3], all[4], all[5], all[6], all[7])
            .sink { tally.add($0) }
        for value in 0..<rounds {
            for subject in all { subject.send(value) }
        }
        token.cancel()
        return tally.finish()
    },
    Row("flatMap { Just }") { rounds in
        let tally = Tally()
        let subject = PassthroughSubject<Int, Never>()
        let token = subject.flatMap { Just($0 &+ 1) }.sink { tally.add($0) }
        for value in 0..<rounds { subject.send(value) }
        token.cancel()
        return tally.finish()
    },
    Row("map { Just } → switchToLatest") { rounds in
        let tally = Tally()
        let subject = PassthroughSubject<Int, Never>()
        let token = subject.map { Just($0 &+ 1) }.switchToLatest().sink { tally.add($0) }
        for value in 0..<rounds { subject.send(value) }
        token.cancel()
        return tally.finish()
    },
    Row("share, two sinks") { rounds in
        let tally = Tally()
        let subject = PassthroughSubject<Int, Never>()
        let shared = subject.share()
        let tokens = (0..<2).map { _ in shared.sink { tally.add($0) } }
        for value in 0..<rounds { subject.send(value) }
        for token in tokens { token.cancel() }
        return tally.finish()
    },
    Row("share, ten sinks") { rounds in
        let tally = Tally()
        let subject = PassthroughSubject<Int, Never>()
        let shared = subject.share()
        let tokens = (0..<10).map { _ in shared.sink { tally.add($0) } }
        for value in 0..<rounds { subject.send(value) }
        for token in tokens { token.cancel() }
        return tally.finish()
    },
    Row("fan-out to 1,000 sinks, per sink", scale: 1_000) { rounds in
        let tally = Tally()
        let subject = PassthroughSubject<Int, Never>()
        let tokens = (0..<1_000).map { _ in subject.sink { tally.add($0) } }
        for value in 0..<rounds { subject.send(value) }
        for token in tokens { token.cancel() }
        return tally.finish()
    },
]
