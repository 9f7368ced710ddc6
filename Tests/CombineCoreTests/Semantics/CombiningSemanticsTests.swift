import CombineCore
import CombineTesting
import Testing

/// Tests of `flatMap`, `switchToLatest`, `zip`, `combineLatest` and `merge`.
@Suite struct CombiningSemanticsTests {
    typealias Recorder = RecordingSubscriber<Int, TestError>
    typealias Pairs = RecordingSubscriber<String, TestError>
    typealias Source = ScriptedPublisher<Int, TestError>
    typealias Subject = PassthroughSubject<Int, TestError>

    @Test func `flatMap requests as many publishers as its limit allows, and one more when one finishes`() {
        let outer = ScriptedPublisher<Source, TestError>(.unruly)
        let recorder = Recorder()
        outer.flatMap(maxPublishers: .max(2)) { $0 }.subscribe(recorder)
        #expect(outer.latest?.requests == [.max(2)])
        let inner = [Source(), Source()]
        for source in inner { #expect(outer.send(source) == Subscribers.Demand.none) }
        inner[0].send(completion: .finished)
        #expect(outer.latest?.requests == [.max(2), .max(1)])
        inner[1].send(1)
        #expect(recorder.values == [1])
    }

    @Test func `flatMap sends its subscription before it subscribes upstream`() {
        let outer = Source(.silent)
        let recorder = Recorder()
        outer.handleEvents(receiveSubscription: { _ in
            #expect(recorder.events.map(\.description) == ["subscription(FlatMap)"])
        })
        .flatMap { Just($0).setFailureType(to: TestError.self) }.subscribe(recorder)
        #expect(recorder.events.map(\.description) == ["subscription(FlatMap)"])
        #expect(outer.attachments.count == 1)
        outer.latest?.sendSubscription()
        #expect(outer.latest?.requests == [.unlimited])
        outer.send(1)
        #expect(recorder.values == [1])
    }

    @Test func `flatMap requests nothing if it is cancelled while its subscription is delivered`() {
        let outer = Source()
        let recorder = Recorder(.init(onSubscription: { $0.cancel() }))
        outer.flatMap { Just($0).setFailureType(to: TestError.self) }.subscribe(recorder)
        #expect(outer.latest?.cancellations == 1)
        #expect(outer.latest?.requests == [])
    }

    @Test func `flatMap buffers one value per child until there is demand, and serves the first value first`() {
        let outer = PassthroughSubject<Source, TestError>()
        let recorder = Recorder(demand: .none)
        outer.flatMap { $0 }.subscribe(recorder)
        let inner = [Source(.unruly), Source(.unruly)]
        for source in inner { outer.send(source) }
        #expect(inner.map { $0.latest?.requests } == [[.max(1)], [.max(1)]])
        inner[1].send(2)
        inner[0].send(1)
        #expect(recorder.values == [])
        recorder.request(.max(1))
        #expect(recorder.values == [2])
        #expect(inner[1].latest?.requests == [.max(1), .max(1)])
        recorder.request(.max(1))
        #expect(recorder.values == [2, 1])
    }

    @Test func `a failure of any child ends flatMap and cancels all others`() {
        let outer = Source(.unruly)
        let inner = [Source(.unruly), Source(.unruly)]
        let recorder = Recorder()
        outer.flatMap { inner[$0] }.subscribe(recorder)
        outer.send(0)
        outer.send(1)
        inner[0].send(completion: .failure(TestError(1)))
        #expect(recorder.completion == .failure(TestError(1)))
        #expect(inner[1].latest?.cancellations == 1)
        #expect(outer.latest?.cancellations == 1)
    }

    @Test func `flatMap finishes only when upstream and all children have finished`() {
        let outer = Subject()
        let inner = [Subject(), Subject()]
        let recorder = Recorder()
        outer.flatMap { inner[$0] }.subscribe(recorder)
        outer.send(0)
        outer.send(1)
        outer.send(completion: .finished)
        inner[0].send(completion: .finished)
        #expect(recorder.completion == nil)
        inner[1].send(5)
        inner[1].send(completion: .finished)
        #expect(recorder.values == [5])
        #expect(recorder.completion == .finished)
    }

    @Test func `flatMap delivers the buffered value of a finished child before it finishes`() {
        let recorder = Recorder(demand: .none)
        Just(1).setFailureType(to: TestError.self).flatMap { Just($0).setFailureType(to: TestError.self) }
            .subscribe(recorder)
        #expect(recorder.completion == nil)
        recorder.request(.max(1))
        #expect(recorder.values == [1])
        #expect(recorder.completion == .finished)
    }

    @Test func `an upstream failure ends flatMap immediately`() {
        let outer = Subject()
        let inner = Source()
        let recorder = Recorder()
        outer.flatMap { _ in inner }.subscribe(recorder)
        outer.send(1)
        outer.send(completion: .failure(TestError(4)))
        #expect(recorder.completion == .failure(TestError(4)))
        #expect(inner.latest?.cancellations == 1)
    }

    @Test func `flatMap and switchToLatest cancel the publishers that they have made before upstream`() {
        for make: (AnyPublisher<Int, TestError>, AnyPublisher<Int, TestError>) -> AnyPublisher<Int, TestError> in [
            { outer, inner in outer.flatMap { _ in inner }.eraseToAnyPublisher() },
            { outer, inner in outer.map { _ in inner }.switchToLatest().eraseToAnyPublisher() },
        ] {
            var order: [String] = []
            let outer = CurrentValueSubject<Int, TestError>(1)
            let recorder = Recorder()
            make(
                outer.handleEvents(receiveCancel: { order.append("outer") }).eraseToAnyPublisher(),
                Source().handleEvents(receiveCancel: { order.append("inner") }).eraseToAnyPublisher()
            ).subscribe(recorder)
            recorder.cancel()
            #expect(order == ["inner", "outer"])
        }
    }

    @Test func `switchToLatest sends its subscription before it subscribes upstream`() {
        let outer = ScriptedPublisher<Source, TestError>(.silent)
        let recorder = Recorder()
        outer.switchToLatest().subscribe(recorder)
        #expect(recorder.events.map(\.description) == ["subscription(SwitchToLatest)"])
        outer.send(completion: .finished)
        #expect(recorder.completion == .finished)
        outer.latest?.sendSubscription()
        #expect(outer.latest?.cancellations == 1)
    }

    @Test func `switchToLatest requests nothing if it is cancelled while its subscription is delivered`() {
        let outer = ScriptedPublisher<Source, TestError>()
        let recorder = Recorder(.init(onSubscription: { $0.cancel() }))
        outer.switchToLatest().subscribe(recorder)
        #expect(outer.latest?.cancellations == 1)
        #expect(outer.latest?.requests == [])
    }

    @Test func `switchToLatest cancels the previous publisher before it subscribes to the next`() {
        let outer = PassthroughSubject<AnyPublisher<Int, TestError>, TestError>()
        let first = Source()
        let recorder = Recorder()
        outer.switchToLatest().subscribe(recorder)
        outer.send(first.eraseToAnyPublisher())
        var wasCancelled = 0
        outer.send(
            Deferred {
                wasCancelled = first.latest?.cancellations ?? 0
                return Just(2).setFailureType(to: TestError.self)
            }.eraseToAnyPublisher())
        #expect(wasCancelled == 1)
        #expect(recorder.values == [2])
    }

    @Test func `switchToLatest ignores values that the previous publisher still sends`() {
        let outer = PassthroughSubject<Source, TestError>()
        let (first, second) = (Source(.unruly), Source(.unruly))
        let recorder = Recorder()
        outer.switchToLatest().subscribe(recorder)
        outer.send(first)
        outer.send(second)
        first.send(1)
        first.send(completion: .failure(TestError()))
        second.send(2)
        #expect(recorder.values == [2])
        #expect(recorder.completion == nil)
    }

    @Test func `switchToLatest finishes when upstream and the latest publisher have, in either order`() {
        for latestEndsFirst in [true, false] {
            let outer = PassthroughSubject<Subject, TestError>()
            let inner = Subject()
            let recorder = Recorder()
            outer.switchToLatest().subscribe(recorder)
            outer.send(inner)
            if latestEndsFirst { inner.send(completion: .finished) } else { outer.send(completion: .finished) }
            #expect(recorder.completion == nil)
            if latestEndsFirst { outer.send(completion: .finished) } else { inner.send(completion: .finished) }
            #expect(recorder.completion == .finished)
        }
    }

    @Test func `switchToLatest passes unmet demand to the next publisher`() {
        let outer = PassthroughSubject<Source, TestError>()
        let (first, second) = (Source(), Source())
        let recorder = Recorder(demand: .max(3))
        outer.switchToLatest().subscribe(recorder)
        outer.send(first)
        first.send(1)
        outer.send(second)
        #expect(first.latest?.requests == [.max(3)])
        #expect(second.latest?.requests == [.max(2)])
    }

    @Test func `switchToLatest finishes when upstream finishes without sending a publisher`() {
        let recorder = Recorder()
        Empty<Source, TestError>().switchToLatest().subscribe(recorder)
        #expect(recorder.completion == .finished)
    }

    @Test func `zip buffers the values of the faster side and finishes when a finished side has none left`() {
        let (a, b) = (Subject(), Subject())
        let recorder = Pairs()
        a.zip(b) { "\($0)\($1)" }.subscribe(recorder)
        for value in 1...3 { a.send(value) }
        a.send(completion: .finished)
        #expect(recorder.completion == nil)
        b.send(7)
        b.send(8)
        #expect(recorder.values == ["17", "28"])
        #expect(recorder.completion == nil)
        b.send(9)
        #expect(recorder.values == ["17", "28", "39"])
        #expect(recorder.completion == .finished)
    }

    @Test func `zip delivers what its publishers have sent beyond its demand when it is requested`() {
        // A `replaceEmpty` forwards everything, whatever is requested.
        let numbers = [1, 2, 3].publisher.replaceEmpty(with: 0)
        let recorder = numbers.zip(numbers) { "\($0)\($1)" }.record(.max(1))
        #expect(recorder.take().dropFirst() == ["11"])
        recorder.request(1)
        #expect(recorder.take() == ["22"])
        recorder.request(2)
        #expect(recorder.take() == ["33", "finished"])
    }

    @Test func `zip finishes immediately when a side without buffered values finishes`() {
        let (a, b) = (Subject(), Source())
        let recorder = Pairs()
        a.zip(b) { "\($0)\($1)" }.subscribe(recorder)
        a.send(completion: .finished)
        #expect(recorder.completion == .finished)
        #expect(b.latest?.cancellations == 1)
    }

    @Test func `a failure of one side ends zip and cancels both, unlike the finish of a side`() {
        let (a, b) = (Source(), Source())
        let recorder = Pairs()
        a.zip(b) { "\($0)\($1)" }.subscribe(recorder)
        a.send(1)
        b.send(completion: .failure(TestError(2)))
        #expect(recorder.completion == .failure(TestError(2)))
        #expect([a, b].map { $0.latest?.cancellations } == [1, 1])
        let (c, d) = (Source(), Source())
        c.zip(d) { "\($0)\($1)" }.subscribe(Pairs())
        d.send(completion: .finished)
        #expect([c, d].map { $0.latest?.cancellations } == [1, 0])
    }

    @Test func `zip retains its upstream publishers`() {
        let a = Subject()
        let recorder = Pairs()
        do {
            let b = (1...9).publisher.setFailureType(to: TestError.self)
            a.zip(b) { "\($0)\($1)" }.subscribe(recorder)
        }
        a.send(5)
        a.send(6)
        #expect(recorder.values == ["51", "62"])
    }

    @Test func `combineLatest requests the downstream demand from all sides and stores one value of each`() {
        let (a, b) = (Source(), Source())
        let recorder = Pairs(demand: .max(2))
        a.combineLatest(b) { "\($0)\($1)" }.subscribe(recorder)
        #expect([a, b].map { $0.latest?.requests } == [[.max(2)], [.max(2)]])
        a.send(1)
        a.send(2)
        #expect(recorder.values == [])
        b.send(7)
        a.send(3)
        #expect(recorder.values == ["27", "37"])
        a.send(4)
        #expect(recorder.values == ["27", "37"])
    }

    @Test func `combineLatest requests nothing more for a value that arrives before the other sides have one`() {
        let (a, b) = (Source(), Source())
        let recorder = Pairs(.init(demand: .max(1), onValue: { _, _ in .max(4) }))
        a.combineLatest(b) { "\($0)\($1)" }.subscribe(recorder)
        #expect(a.send(1) == Subscribers.Demand.none)
        #expect(b.send(2) == .max(4))
        #expect(a.latest?.requests == [.max(1), .max(4)])
    }

    @Test func `combineLatest stays open when a side finishes without a value`() {
        let (a, b) = (Subject(), Source())
        let recorder = Pairs()
        a.combineLatest(b) { "\($0)\($1)" }.subscribe(recorder)
        a.send(completion: .finished)
        a.send(completion: .finished)
        #expect(recorder.completion == nil)
        #expect(b.latest?.cancellations == 0)
        b.send(1)
        #expect(recorder.values == [])
        b.send(completion: .finished)
        #expect(recorder.completion == .finished)
    }

    @Test(arguments: [2, 3, 4], [0, 1, 2, 3])
    func `combineLatest finishes with the last of its sides, in any order`(count: Int, first: Int) {
        let sides = [Subject(), Subject(), Subject(), Subject()]
        let recorder = Pairs()
        switch count {
        case 2: sides[0].combineLatest(sides[1]) { "\($0)\($1)" }.subscribe(recorder)
        case 3: sides[0].combineLatest(sides[1], sides[2]) { "\($0)\($1)\($2)" }.subscribe(recorder)
        default: sides[0].combineLatest(sides[1], sides[2], sides[3]) { "\($0)\($1)\($2)\($3)" }.subscribe(recorder)
        }
        for turn in 0..<count {
            #expect(recorder.completion == nil)
            sides[(first + turn) % count].send(completion: .finished)
        }
        #expect(recorder.completion == .finished)
    }

    @Test(arguments: [2, 3, 4])
    func `a value that arrives during the delivery of a tuple becomes the latest of its side`(count: Int) {
        let (x, y) = (Subject(), Subject())
        let others = [CurrentValueSubject<Int, TestError>(7), CurrentValueSubject<Int, TestError>(8)]
        let recorder = Pairs(
            .init(onValue: { _, _ in
                x.send(5)
                x.send(6)
                return .none
            }))
        switch count {
        case 2: x.combineLatest(y) { "\($0)\($1)" }.subscribe(recorder)
        case 3: x.combineLatest(y, others[0]) { "\($0)\($1)\($2)" }.subscribe(recorder)
        default: x.combineLatest(y, others[0], others[1]) { "\($0)\($1)\($2)\($3)" }.subscribe(recorder)
        }
        let rest = ["", "7", "78"][count - 2]
        x.send(1)
        y.send(2)
        #expect(recorder.values == ["12" + rest])
        y.send(3)
        #expect(recorder.values == ["12" + rest, "63" + rest])
    }

    @Test func `combineLatest can finish during the delivery of a tuple`() {
        let (x, y) = (Subject(), Subject())
        let recorder = Pairs(
            .init(onValue: { _, _ in
                x.send(completion: .finished)
                y.send(completion: .finished)
                return .none
            }))
        x.combineLatest(y) { "\($0)\($1)" }.subscribe(recorder)
        x.send(1)
        y.send(2)
        #expect(recorder.values == ["12"])
        #expect(recorder.completions == [.finished])
    }

    @Test func `combineLatest keeps using the last value of a finished side`() {
        let (a, b) = (Subject(), Subject())
        let recorder = Pairs()
        a.combineLatest(b) { "\($0)\($1)" }.subscribe(recorder)
        a.send(1)
        a.send(completion: .finished)
        b.send(2)
        b.send(3)
        #expect(recorder.values == ["12", "13"])
        b.send(completion: .finished)
        #expect(recorder.completion == .finished)
    }

    @Test func `a failure of one side ends combineLatest and cancels the other`() {
        let (a, b) = (Source(), Source())
        let recorder = Pairs()
        a.combineLatest(b) { "\($0)\($1)" }.subscribe(recorder)
        b.send(completion: .failure(TestError(2)))
        #expect(recorder.completion == .failure(TestError(2)))
        #expect([a, b].map { $0.latest?.cancellations } == [1, 0])
    }

    @Test func `merge requests one value from each side before there is demand, and another when it is delivered`() {
        let (a, b) = (Source(), Source())
        let recorder = Recorder(demand: .none)
        a.merge(with: b).subscribe(recorder)
        #expect([a, b].map { $0.latest?.requests } == [[.max(1)], [.max(1)]])
        #expect(a.send(1) == Subscribers.Demand.none)
        #expect(recorder.values == [])
        recorder.request(.max(2))
        #expect(recorder.values == [1])
        #expect(a.latest?.requests == [.max(1), .max(1)])
        // The demand is used up, and yet the next value is requested.
        #expect(b.send(2) == .max(1))
        #expect(recorder.values == [1, 2])
        #expect([a, b].map { $0.latest?.outstanding } == [.max(1), .max(1)])
        recorder.request(.unlimited)
        #expect(a.send(3) == Subscribers.Demand.none)
        #expect(b.latest?.requests == [.max(1), .unlimited])
    }

    @Test func `merge requests everything, and nothing else, from a side that subscribes under unlimited demand`() {
        let (a, b) = (Source(), Source(.silent))
        let recorder = Recorder(demand: .unlimited)
        a.merge(with: b).subscribe(recorder)
        b.latest?.sendSubscription()
        recorder.request(.unlimited)
        recorder.request(.max(1))
        #expect([a, b].map { $0.latest?.requests } == [[.unlimited], [.unlimited]])
    }

    @Test func `merge requests everything when bounded demands add up to unlimited`() {
        let (a, b) = (Source(), Source())
        let recorder = Recorder(.init(demand: .max(1), onValue: { _, _ in .max(.max) }))
        a.merge(with: b).subscribe(recorder)
        #expect(a.send(1) == Subscribers.Demand.none)
        #expect([a, b].map { $0.latest?.requests } == [[.max(1), .unlimited], [.max(1), .unlimited]])
        let (c, d) = (Source(), Source())
        let other = Recorder(demand: .max(2))
        c.merge(with: d).subscribe(other)
        other.request(.max(.max))
        #expect([c, d].map { $0.latest?.requests } == [[.max(1), .unlimited], [.max(1), .unlimited]])
    }

    @Test func `merge has one demand for all sides and buffers values that exceed it`() {
        let (a, b) = (Source(), Source())
        let recorder = Recorder(demand: .max(1))
        a.merge(with: b).subscribe(recorder)
        a.send(1)
        b.send(2)
        #expect(recorder.values == [1])
        recorder.request(.max(1))
        #expect(recorder.values == [1, 2])
    }

    @Test func `merge delivers buffered values before values that arrive meanwhile`() {
        let (a, b, c) = (Source(.unruly), Source(.unruly), Source(.unruly))
        let recorder = Recorder(
            .init(
                demand: .none,
                onValue: { _, value in
                    if value == 1 { c.send(3) }
                    return .none
                }))
        a.merge(with: b, c).subscribe(recorder)
        a.send(1)
        b.send(2)
        recorder.request(.max(2))
        #expect(recorder.values == [1, 2])
        recorder.request(.unlimited)
        #expect(recorder.values == [1, 2, 3])
    }

    @Test func `merge delivers buffered values before those that an unlimited request produces`() {
        let a = Source(onRequest: { attachment, demand in
            if demand == .unlimited { attachment.send(2) }
        })
        let b = Source(.unruly)
        let recorder = Recorder(demand: .none)
        a.merge(with: b).subscribe(recorder)
        b.send(1)
        recorder.request(.unlimited)
        b.send(3)
        #expect(recorder.values == [1, 2, 3])
    }

    @Test func `merge finishes when its last upstream does`() {
        let subjects = [Subject(), Subject(), Subject()]
        let recorder = Recorder()
        Publishers.MergeMany(subjects).subscribe(recorder)
        for subject in subjects {
            #expect(recorder.completion == nil)
            subject.send(completion: .finished)
        }
        #expect(recorder.completion == .finished)
    }

    @Test func `merge fails with the first failure and cancels all upstreams that have not finished`() {
        let (a, b, c) = (Source(), Source(), Source())
        let recorder = Recorder()
        a.merge(with: b, c).subscribe(recorder)
        c.send(completion: .finished)
        b.send(completion: .failure(TestError(9)))
        #expect(recorder.completion == .failure(TestError(9)))
        #expect([a, b, c].map { $0.latest?.cancellations } == [1, 1, 0])
    }

    @Test func `a merge of no publishers finishes immediately`() {
        let recorder = Recorder()
        Publishers.MergeMany<Subject>([]).subscribe(recorder)
        #expect(recorder.completion == .finished)
    }

    @Test func `merge delivers values in the order in which they were sent`() {
        let recorder = Recorder()
        let (a, b) = (Subject(), Subject())
        a.merge(with: b).subscribe(recorder)
        a.send(1)
        b.send(2)
        b.send(3)
        a.send(4)
        #expect(recorder.values == [1, 2, 3, 4])
    }
}
