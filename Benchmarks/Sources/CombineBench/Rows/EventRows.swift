import CombineCore

/// Events through a subject and stateless operators.
let eventRows = [
    Row("subject → sink") { rounds in
        let tally = Tally()
        let subject = PassthroughSubject<Int, Never>()
        let token = subject.sink { tally.add($0) }
        for value in 0..<rounds { subject.send(value) }
        token.cancel()
        return tally.finish()
    },
    Row("subject → map → filter → sink") { rounds in
        let tally = Tally()
        let subject = PassthroughSubject<Int, Never>()
        let token = subject.map { $0 &+ 1 }.filter { $0 > 0 }.sink { tally.add($0) }
        for value in 0..<rounds { subject.send(value) }
        token.cancel()
        return tally.finish()
    },
    Row("subject → ten maps → sink") { rounds in
        let tally = Tally()
        let subject = PassthroughSubject<Int, Never>()
        let five = subject.map { $0 &+ 1 }.map { $0 &* 3 }.map { $0 &+ 2 }.map { $0 &* 5 }.map { $0 &+ 3 }
        let ten = five.map { $0 &+ 4 }.map { $0 &* 7 }.map { $0 &+ 5 }.map { $0 &* 9 }.map { $0 &+ 6 }
        let token = ten.sink { tally.add($0) }
        for value in 0..<rounds { subject.send(value) }
        token.cancel()
        return tally.finish()
    },
    Row("the same, erased twice") { rounds in
        let tally = Tally()
        let subject = PassthroughSubject<Int, Never>()
        let mapped = subject.map { $0 &+ 1 }.eraseToAnyPublisher()
        let token = mapped.filter { $0 > 0 }.eraseToAnyPublisher().sink { tally.add($0) }
        for value in 0..<rounds { subject.send(value) }
        token.cancel()
        return tally.finish()
    },
    Row("subject → scan → removeDuplicates → sink") { rounds in
        let tally = Tally()
        let subject = PassthroughSubject<Int, Never>()
        let token = subject.scan(0) { $0 &+ $1 }.removeDuplicates().sink { tally.add($0) }
        for value in 1...rounds { subject.send(value) }
        token.cancel()
        return tally.finish()
    },
    Row("CurrentValueSubject → sink") { rounds in
        let tally = Tally()
        let subject = CurrentValueSubject<Int, Never>(0)
        let token = subject.sink { tally.add($0) }
        for value in 0..<rounds { subject.send(value) }
        token.cancel()
        return tally.finish()
    },
    Row("buffer(16)") { rounds in
        let tally = Tally()
        let subject = PassthroughSubject<Int, Never>()
        let token = subject.buffer(size: 16, prefetch: .keepFull, whenFull: .dropOldest).sink { tally.add($0) }
        for value in 0..<rounds { subject.send(value) }
        token.cancel()
        return tally.finish()
    },
    Row("receive(on: immediate)") { rounds in
        let tally = Tally()
        let subject = PassthroughSubject<Int, Never>()
        let token = subject.receive(on: ImmediateScheduler.shared).sink { tally.add($0) }
        for value in 0..<rounds { subject.send(value) }
        token.cancel()
        return tally.finish()
    },
]
