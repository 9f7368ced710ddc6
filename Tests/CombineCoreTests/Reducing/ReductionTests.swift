import CombineCore
import Testing

@Suite struct ReductionTests {
    private let numbers = [3, 1, 2].publisher.eraseToAnyPublisher()
    private let none = Empty<Int, Never>().eraseToAnyPublisher()

    @Test func `each reduction delivers one result`() {
        #expect(numbers.collect().events() == ["[3, 1, 2]", "finished"])
        #expect(numbers.count().events() == ["3", "finished"])
        #expect(numbers.reduce(10, +).events() == ["16", "finished"])
        #expect(numbers.min().events() == ["1", "finished"])
        #expect(numbers.max().events() == ["3", "finished"])
        #expect(numbers.min { $0 > $1 }.events() == ["3", "finished"])
        #expect(numbers.last().events() == ["2", "finished"])
        #expect(numbers.last { $0 > 2 }.events() == ["3", "finished"])
        #expect(numbers.first { $0 < 3 }.events() == ["1", "finished"])
        #expect(numbers.contains(2).events() == ["true", "finished"])
        #expect(numbers.contains { $0 > 5 }.events() == ["false", "finished"])
        #expect(numbers.allSatisfy { $0 > 1 }.events() == ["false", "finished"])
    }

    @Test func `a reduction of an empty stream delivers its neutral result, or no value`() {
        #expect(none.collect().events() == ["[]", "finished"])
        #expect(none.count().events() == ["0", "finished"])
        #expect(none.reduce(10, +).events() == ["10", "finished"])
        #expect(none.max().events() == ["finished"])
        #expect(none.last().events() == ["finished"])
        #expect(none.contains(1).events() == ["false", "finished"])
        #expect(none.allSatisfy { _ in false }.events() == ["true", "finished"])
    }

    @Test func `the completion of an empty stream waits for demand`() {
        func expectWaitsForDemand<P: Publisher>(_ publisher: P, _ result: [String] = []) {
            let recorder = publisher.record(.none)
            #expect(recorder.take().count == 1, "\(P.self)")
            recorder.request(1)
            #expect(recorder.take() == result + ["finished"], "\(P.self)")
            recorder.request(1)
            #expect(recorder.take() == [], "\(P.self)")
        }
        expectWaitsForDemand(none.first())
        expectWaitsForDemand(none.first { _ in true })
        expectWaitsForDemand(none.tryFirst { _ in true })
        expectWaitsForDemand(none.last())
        expectWaitsForDemand(none.last { _ in true })
        expectWaitsForDemand(none.tryLast { _ in true })
        expectWaitsForDemand(none.max())
        expectWaitsForDemand(none.max { $0 < $1 })
        expectWaitsForDemand(none.tryMax { $0 < $1 })
        expectWaitsForDemand(none.min())
        expectWaitsForDemand(none.min { $0 < $1 })
        expectWaitsForDemand(none.tryMin { $0 < $1 })
        expectWaitsForDemand(none.contains(1), ["false"])
        expectWaitsForDemand(none.contains { _ in true }, ["false"])
        expectWaitsForDemand(none.tryContains { _ in true }, ["false"])
        expectWaitsForDemand(none.allSatisfy { _ in false }, ["true"])
        expectWaitsForDemand(none.tryAllSatisfy { _ in false }, ["true"])
        expectWaitsForDemand(none.reduce(1, +), ["1"])
        expectWaitsForDemand(none.tryReduce(1, +), ["1"])
        expectWaitsForDemand(none.count(), ["0"])
        expectWaitsForDemand(none.collect(), ["[]"])
        expectWaitsForDemand(numbers.last { _ in false })
        expectWaitsForDemand(numbers.first { _ in false })
    }

    @Test func `a failure does not wait for demand`() {
        let failed = Fail<Int, Mishap>(error: .first).eraseToAnyPublisher()
        #expect(failed.first().events(.none) == ["failure first"])
        #expect(failed.last().events(.none) == ["failure first"])
        #expect(failed.count().events(.none) == ["failure first"])
        #expect(failed.replaceEmpty(with: 1).events(.none) == ["failure first"])
    }

    @Test func `the result waits for demand`() {
        let recorder = numbers.count().record(.none)
        #expect(recorder.log == ["subscription Count"])
        recorder.request(1)
        #expect(recorder.log.dropFirst() == ["3", "finished"])
    }

    @Test func `a reduction makes an unlimited request, and cancels upstream once the result is certain`() {
        var log: [String] = []
        let subject = PassthroughSubject<Int, Mishap>()
        let recorder = subject.handleEvents(
            receiveCancel: { log.append("cancel") }, receiveRequest: { log.append("request \($0)") }
        ).contains(2).record(.max(1))
        subject.send(1)
        #expect(log == ["request unlimited"])
        subject.send(2)
        #expect(log == ["request unlimited", "cancel"])
        #expect(recorder.log == ["subscription Contains", "true", "finished"])
    }

    @Test func `an error thrown by a closure ends the stream and cancels upstream`() {
        func fail<T>(_: Any...) throws -> T { throw Mishap.second }
        let failed = ["failure second"]
        #expect(numbers.tryReduce(0) { _, _ in try fail() }.events() == failed)
        #expect(numbers.tryMax { _, _ in try fail() }.events() == failed)
        #expect(numbers.tryMin { _, _ in try fail() }.events() == failed)
        #expect(numbers.tryFirst { _ in try fail() }.events() == failed)
        #expect(numbers.tryLast { _ in try fail() }.events() == failed)
        #expect(numbers.tryContains { _ in try fail() }.events() == failed)
        #expect(numbers.tryAllSatisfy { _ in try fail() }.events() == failed)
    }

    @Test func `an upstream failure replaces the result`() {
        let failing = [1, 2].publisher.setFailureType(to: Mishap.self).append(Fail(error: .first))
        #expect(failing.count().events(.none) == ["failure first"])
        #expect(failing.tryReduce(0, +).events() == ["failure first"])
        #expect(failing.allSatisfy { $0 == 1 }.events() == ["false", "finished"])
    }
}
