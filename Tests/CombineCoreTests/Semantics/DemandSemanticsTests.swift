import CombineCore
import CombineTesting
import Testing

/// Tests of demand and of the order in which a stream begins.
@Suite struct DemandSemanticsTests {
    typealias Recorder = RecordingSubscriber<Int, Never>

    @Test func `requests add up, and the demand returned for a value is added to them`() {
        let recorder = Recorder(.init(demand: .max(2), onValue: { _, value in value == 2 ? .max(2) : .none }))
        (1...9).publisher.subscribe(recorder)
        #expect(recorder.values == [1, 2, 3, 4])
        recorder.request(.max(1))
        recorder.request(.max(1))
        #expect(recorder.values == [1, 2, 3, 4, 5, 6])
    }

    @Test func `demand belongs to a subscription, not to the subject`() {
        let subject = PassthroughSubject<Int, Never>()
        let modest = Recorder(demand: .max(1))
        let greedy = Recorder()
        subject.subscribe(modest)
        subject.subscribe(greedy)
        for value in 1...3 { subject.send(value) }
        #expect(modest.values == [1])
        #expect(greedy.values == [1, 2, 3])
    }

    @Test func `demand saturates at unlimited and stays unlimited`() {
        let recorder = Recorder(.init(demand: .max(.max), onValue: { _, _ in .max(.max) }))
        (1...5).publisher.subscribe(recorder)
        recorder.request(.unlimited)
        #expect(recorder.values == [1, 2, 3, 4, 5])
        #expect(recorder.violations == [])
    }

    @Test func `a passthrough subject drops values without demand`() {
        let subject = PassthroughSubject<Int, Never>()
        let recorder = Recorder(demand: .none)
        subject.subscribe(recorder)
        subject.send(1)
        recorder.request(.max(1))
        subject.send(2)
        subject.send(3)
        recorder.request(.max(1))
        subject.send(4)
        #expect(recorder.values == [2, 4])
    }

    @Test func `a current value subject delivers the latest missed value when demand returns`() {
        let subject = CurrentValueSubject<Int, Never>(0)
        let recorder = Recorder(demand: .max(1))
        subject.subscribe(recorder)
        #expect(recorder.values == [0])
        subject.send(1)
        subject.send(2)
        recorder.request(.max(1))
        #expect(recorder.values == [0, 2])
        recorder.request(.max(2))
        #expect(recorder.values == [0, 2])
        subject.send(3)
        subject.send(4)
        #expect(recorder.values == [0, 2, 3, 4])
    }

    @Test(arguments: ["filter", "compactMap", "removeDuplicates", "drop(while:)", "tryFilter", "tryCompactMap"])
    func `an operator that drops a value requests another one`(name: String) throws {
        let source = ScriptedPublisher<Int, Never>(.unruly)
        let operators: [String: () -> AnyPublisher<Int, any Error>] = [
            "filter": { source.filter { $0 > 2 }.setFailureType(to: (any Error).self).eraseToAnyPublisher() },
            "compactMap": {
                source.compactMap { $0 > 2 ? $0 : nil }.setFailureType(to: (any Error).self).eraseToAnyPublisher()
            },
            "removeDuplicates": {
                source.removeDuplicates { _, value in value <= 2 }.setFailureType(to: (any Error).self)
                    .eraseToAnyPublisher()
            },
            "drop(while:)": {
                source.drop { $0 <= 2 }.setFailureType(to: (any Error).self).eraseToAnyPublisher()
            },
            "tryFilter": { source.tryFilter { $0 > 2 }.eraseToAnyPublisher() },
            "tryCompactMap": { source.tryCompactMap { $0 > 2 ? $0 : nil }.eraseToAnyPublisher() },
        ]
        let recorder = RecordingSubscriber<Int, any Error>(.init(demand: .max(1), onValue: { _, _ in .max(7) }))
        let make = try #require(operators[name])
        make().subscribe(recorder)
        source.send(3)
        #expect(source.send(2) == .max(name == "drop(while:)" ? 7 : 1))
        if name != "drop(while:)" { #expect(source.send(5) == .max(7)) }
    }

    @Test func `a subscriber that requests one value at a time does not stall behind filters`() {
        let recorder = Recorder(.init(demand: .max(1), onValue: { _, _ in .max(1) }))
        (1...20).publisher.filter { $0.isMultiple(of: 5) }.compactMap { $0 == 10 ? nil : $0 }
            .removeDuplicates().drop { $0 < 10 }.subscribe(recorder)
        #expect(recorder.values == [15, 20])
        #expect(recorder.completion == .finished)
    }

    @Test func `requesting no values from a subject or a source of one value is a programming error`() async {
        await #expect(processExitsWith: .failure) { requestNothing(Just(1)) }
        await #expect(processExitsWith: .failure) { requestNothing(PassthroughSubject<Int, Never>()) }
        await #expect(processExitsWith: .failure) { requestNothing(CurrentValueSubject<Int, Never>(1)) }
        await #expect(processExitsWith: .failure) { requestNothing(Optional(1).publisher) }
        await #expect(processExitsWith: .failure) { requestNothing(Result<Int, Never>.success(1).publisher) }
        await #expect(processExitsWith: .failure) { requestNothing(Just(1).first()) }
    }

    @Test func `sequences, merges and concatenations ignore a request for no values`() {
        let numbers = [1, 2].publisher
        let publishers: [AnyPublisher<Int, Never>] = [
            numbers.eraseToAnyPublisher(), numbers.merge(with: Empty()).eraseToAnyPublisher(),
            Publishers.MergeMany([numbers]).eraseToAnyPublisher(),
            numbers.append(Empty()).eraseToAnyPublisher(), numbers.prepend(Empty()).eraseToAnyPublisher(),
            numbers.merge(with: numbers, numbers).prefix(2).eraseToAnyPublisher(),
        ]
        for publisher in publishers {
            let recorder = Recorder(.init(demand: .none, onSubscription: { $0.request(.none) }))
            publisher.subscribe(recorder)
            recorder.request(.none)
            #expect(recorder.values == [])
            #expect(recorder.completion == nil)
            recorder.request(.max(1))
            recorder.request(.none)
            #expect(recorder.values == [1])
            recorder.request(.unlimited)
            #expect(recorder.completion == .finished)
        }
    }

    @Test func `a source without values ignores a request for no values`() {
        let recorder = Recorder(demand: .none)
        Empty<Int, Never>(completeImmediately: false).subscribe(recorder)
        recorder.request(.none)
        #expect(recorder.violations == [])
    }

    @Test func `a synchronous source delivers its subscription before its values`() {
        let recorder = Recorder()
        [1, 2].publisher.setFailureType(to: Never.self).map { $0 }.append(Just(3)).subscribe(recorder)
        #expect(recorder.events.map(\.description) == ["subscription(Concatenate)", "1", "2", "3", "finished"])
    }
}

private func requestNothing(_ publisher: some Publisher<Int, Never>) {
    publisher.subscribe(
        AnySubscriber(receiveSubscription: { $0.request(.none) }, receiveValue: { _ in .none }))
}
