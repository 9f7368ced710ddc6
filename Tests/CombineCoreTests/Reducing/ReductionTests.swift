import CombineCore
import Testing

@Suite struct ReductionTests {
    private let numbers = [3, 1, 2].publisher.eraseToAnyPublisher()
    private let none = Empty<Int, Never>().eraseToAnyPublisher()

    @Test func `each reduction makes its one value`() {
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

    @Test func `without values there is a neutral result or none`() {
        #expect(none.collect().events() == ["[]", "finished"])
        #expect(none.count().events() == ["0", "finished"])
        #expect(none.reduce(10, +).events() == ["10", "finished"])
        #expect(none.max().events() == ["finished"])
        #expect(none.last().events() == ["finished"])
        #expect(none.contains(1).events() == ["false", "finished"])
        #expect(none.allSatisfy { _ in false }.events() == ["true", "finished"])
    }

    @Test func `the end of an empty stream waits until a value is asked for`() {
        func expectPatience<P: Publisher>(_ publisher: P, _ result: [String] = []) {
            let recorder = publisher.record(.none)
            #expect(recorder.take().count == 1, "\(P.self)")
            recorder.request(1)
            #expect(recorder.take() == result + ["finished"], "\(P.self)")
            recorder.request(1)
            #expect(recorder.take() == [], "\(P.self)")
        }
        expectPatience(none.first())
        expectPatience(none.first { _ in true })
        expectPatience(none.tryFirst { _ in true })
        expectPatience(none.last())
        expectPatience(none.last { _ in true })
        expectPatience(none.tryLast { _ in true })
        expectPatience(none.max())
        expectPatience(none.max { $0 < $1 })
        expectPatience(none.tryMax { $0 < $1 })
        expectPatience(none.min())
        expectPatience(none.min { $0 < $1 })
        expectPatience(none.tryMin { $0 < $1 })
        expectPatience(none.contains(1), ["false"])
        expectPatience(none.contains { _ in true }, ["false"])
        expectPatience(none.tryContains { _ in true }, ["false"])
        expectPatience(none.allSatisfy { _ in false }, ["true"])
        expectPatience(none.tryAllSatisfy { _ in false }, ["true"])
        expectPatience(none.reduce(1, +), ["1"])
        expectPatience(none.tryReduce(1, +), ["1"])
        expectPatience(none.count(), ["0"])
        expectPatience(none.collect(), ["[]"])
        expectPatience(numbers.last { _ in false })
        expectPatience(numbers.first { _ in false })
    }

    @Test func `a failure does not wait until a value is asked for`() {
        let failed = Fail<Int, Mishap>(error: .first).eraseToAnyPublisher()
        #expect(failed.first().events(.none) == ["failure first"])
        #expect(failed.last().events(.none) == ["failure first"])
        #expect(failed.count().events(.none) == ["failure first"])
        #expect(failed.replaceEmpty(with: 1).events(.none) == ["failure first"])
    }

    @Test func `the result waits until it is asked for`() {
        let recorder = numbers.count().record(.none)
        #expect(recorder.log == ["subscription Count"])
        recorder.request(1)
        #expect(recorder.log.dropFirst() == ["3", "finished"])
    }

    @Test func `upstream is asked for everything, and cancelled once the answer is certain`() {
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

    @Test func `what a closure throws ends the stream and cancels upstream`() {
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

    @Test func `a failure of upstream passes by the result`() {
        let failing = [1, 2].publisher.setFailureType(to: Mishap.self).append(Fail(error: .first))
        #expect(failing.count().events(.none) == ["failure first"])
        #expect(failing.tryReduce(0, +).events() == ["failure first"])
        #expect(failing.allSatisfy { $0 == 1 }.events() == ["false", "finished"])
    }
}
