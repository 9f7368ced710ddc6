import CombineCore
import CombineTesting
import Testing

/// Points 15 to 19 of the semantics: flatMap, switchToLatest, zip, combineLatest, merge.
@Suite struct CombiningSemanticsTests {
    typealias Recorder = RecordingSubscriber<Int, TestError>
    typealias Pairs = RecordingSubscriber<String, TestError>
    typealias Source = ScriptedPublisher<Int, TestError>
    typealias Subject = PassthroughSubject<Int, TestError>

    @Test func `15 flatMap asks for as many publishers as it may listen to, and one more for each that finishes`() {
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

    @Test func `15 flatMap sends its subscription before it subscribes upstream`() {
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

    @Test func `15 flatMap that is cancelled with its subscription takes nothing from upstream`() {
        let outer = Source()
        let recorder = Recorder(.init(onSubscription: { $0.cancel() }))
        outer.flatMap { Just($0).setFailureType(to: TestError.self) }.subscribe(recorder)
        #expect(outer.latest?.cancellations == 1)
        #expect(outer.latest?.requests == [])
    }

    @Test func `15 flatMap keeps one value of each child until it is asked for, the oldest child first`() {
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
        #expect(recorder.values == [1])
        #expect(inner[0].latest?.requests == [.max(1), .max(1)])
        recorder.request(.max(1))
        #expect(recorder.values == [1, 2])
    }

    @Test func `15 a failure of any child ends flatMap and cancels all others`() {
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

    @Test func `15 flatMap finishes only when upstream and all children have`() {
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

    @Test func `15 flatMap delivers what a finished child left before it finishes`() {
        let recorder = Recorder(demand: .none)
        Just(1).setFailureType(to: TestError.self).flatMap { Just($0).setFailureType(to: TestError.self) }
            .subscribe(recorder)
        #expect(recorder.completion == nil)
        recorder.request(.max(1))
        #expect(recorder.values == [1])
        #expect(recorder.completion == .finished)
    }

    @Test func `15 a failure of upstream ends flatMap at once`() {
        let outer = Subject()
        let inner = Source()
        let recorder = Recorder()
        outer.flatMap { _ in inner }.subscribe(recorder)
        outer.send(1)
        outer.send(completion: .failure(TestError(4)))
        #expect(recorder.completion == .failure(TestError(4)))
        #expect(inner.latest?.cancellations == 1)
    }

    @Test func `16 switchToLatest cancels the former publisher before it subscribes to the next`() {
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

    @Test func `16 switchToLatest ignores what the former publisher still sends`() {
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

    @Test func `16 switchToLatest finishes when upstream and the latest have, in either order`() {
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

    @Test func `16 switchToLatest hands the demand that was not met to the next publisher`() {
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

    @Test func `16 switchToLatest finishes when upstream ends without a publisher`() {
        let recorder = Recorder()
        Empty<Source, TestError>().switchToLatest().subscribe(recorder)
        #expect(recorder.completion == .finished)
    }

    @Test func `17 zip keeps what one side is ahead, and finishes as soon as a finished side is used up`() {
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

    @Test func `17 zip finishes at once when a side finishes that has nothing kept`() {
        let (a, b) = (Subject(), Source())
        let recorder = Pairs()
        a.zip(b) { "\($0)\($1)" }.subscribe(recorder)
        a.send(completion: .finished)
        #expect(recorder.completion == .finished)
        #expect(b.latest?.cancellations == 1)
    }

    @Test func `17 a failure of one side ends zip and cancels the other`() {
        let (a, b) = (Source(), Source())
        let recorder = Pairs()
        a.zip(b) { "\($0)\($1)" }.subscribe(recorder)
        a.send(1)
        b.send(completion: .failure(TestError(2)))
        #expect(recorder.completion == .failure(TestError(2)))
        #expect(a.latest?.cancellations == 1)
        #expect(b.latest?.cancellations == 0)
    }

    @Test func `17 zip lives on although nobody holds its parts`() {
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

    @Test func `18 combineLatest asks all sides for what it is asked for, and keeps one value of each`() {
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

    @Test func `18 combineLatest asks no side for more because the others have no value yet`() {
        let (a, b) = (Source(), Source())
        let recorder = Pairs(.init(demand: .max(1), onValue: { _, _ in .max(4) }))
        a.combineLatest(b) { "\($0)\($1)" }.subscribe(recorder)
        #expect(a.send(1) == Subscribers.Demand.none)
        #expect(b.send(2) == .max(4))
        #expect(a.latest?.requests == [.max(1), .max(4)])
    }

    @Test func `18 combineLatest stays open when a side finishes without a value`() {
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
    func `18 combineLatest finishes with the last of its sides, in any order`(count: Int, first: Int) {
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
    func `18 a value that arrives inside the delivery of a tuple is kept as the latest of its side`(count: Int) {
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

    @Test func `18 combineLatest can finish from inside the delivery of a tuple`() {
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

    @Test func `18 combineLatest goes on with the last value of a side that has finished`() {
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

    @Test func `18 a failure of one side ends combineLatest and cancels the other`() {
        let (a, b) = (Source(), Source())
        let recorder = Pairs()
        a.combineLatest(b) { "\($0)\($1)" }.subscribe(recorder)
        b.send(completion: .failure(TestError(2)))
        #expect(recorder.completion == .failure(TestError(2)))
        #expect(a.latest?.cancellations == 1)
    }

    @Test func `19 merge has one demand for all sides, and keeps what came too early`() {
        let (a, b) = (Source(), Source())
        let recorder = Recorder(demand: .max(1))
        a.merge(with: b).subscribe(recorder)
        a.send(1)
        b.send(2)
        #expect(recorder.values == [1])
        recorder.request(.max(1))
        #expect(recorder.values == [1, 2])
    }

    @Test func `19 merge delivers what it has kept before what arrives meanwhile`() {
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

    @Test func `19 merge delivers what it has kept before what a request for everything brings`() {
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

    @Test func `19 merge finishes last`() {
        let subjects = [Subject(), Subject(), Subject()]
        let recorder = Recorder()
        Publishers.MergeMany(subjects).subscribe(recorder)
        for subject in subjects {
            #expect(recorder.completion == nil)
            subject.send(completion: .finished)
        }
        #expect(recorder.completion == .finished)
    }

    @Test func `19 merge fails first and cancels the others`() {
        let (a, b, c) = (Source(), Source(), Source())
        let recorder = Recorder()
        a.merge(with: b, c).subscribe(recorder)
        b.send(completion: .failure(TestError(9)))
        #expect(recorder.completion == .failure(TestError(9)))
        #expect([a, b, c].map { $0.latest?.cancellations } == [1, 0, 1])
    }

    @Test func `19 a merge of nothing finishes at once`() {
        let recorder = Recorder()
        Publishers.MergeMany<Subject>([]).subscribe(recorder)
        #expect(recorder.completion == .finished)
    }

    @Test func `19 merge delivers in the order in which the sides send`() {
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
