import CombineCore
import Testing

@Suite struct UntilOutputTests {
    private let subject = PassthroughSubject<Int, Mishap>()
    private let other = PassthroughSubject<String, Mishap>()

    @Test func `a prefix ends with the first value of the other publisher`() {
        var log: [String] = []
        let recorder = subject.handleEvents(receiveCancel: { log.append("cancel") })
            .prefix(untilOutputFrom: other).record()
        subject.send(1)
        other.send("x")
        subject.send(2)
        #expect(recorder.log.dropFirst() == ["1", "finished"])
        #expect(log == ["cancel"])
    }

    @Test func `a prefix ignores the completion of the other publisher`() {
        let recorder = subject.prefix(untilOutputFrom: other).record()
        other.send(completion: .failure(.first))
        subject.send(1)
        subject.send(completion: .failure(.second))
        #expect(recorder.log.dropFirst() == ["1", "failure second"])
    }

    @Test func `a finished prefix cancels the other publisher`() {
        var log: [String] = []
        let watched = other.handleEvents(
            receiveCancel: { log.append("cancel") }, receiveRequest: { log.append("request \($0)") })
        let recorder = subject.prefix(untilOutputFrom: watched).record()
        subject.send(completion: .finished)
        #expect(recorder.log.last == "finished")
        #expect(log == ["request max(1)", "cancel"])
    }

    @Test func `a drop begins with the first value of the other publisher`() {
        let recorder = subject.drop(untilOutputFrom: other).record()
        subject.send(1)
        other.send("x")
        subject.send(2)
        other.send(completion: .failure(.first))
        subject.send(3)
        #expect(recorder.log == ["subscription DropUntilOutput", "2", "3"])
    }

    @Test func `a drop ends with the other publisher if that ends first`() {
        let recorder = subject.drop(untilOutputFrom: other).record()
        other.send(completion: .failure(.first))
        subject.send(1)
        #expect(recorder.log.dropFirst() == ["failure first"])
    }

    @Test func `cancelling reaches both publishers`() {
        var cancels = 0
        let (first, second) = (
            subject.handleEvents(receiveCancel: { cancels += 1 }), other.handleEvents(receiveCancel: { cancels += 1 })
        )
        first.drop(untilOutputFrom: second).record().cancel()
        first.prefix(untilOutputFrom: second).record().cancel()
        #expect(cancels == 4)
    }

    @Test func `the stream cancels the other publisher when it ends`() {
        var log: [String] = []
        let watched = other.handleEvents(receiveCancel: { log.append("cancel") })
        let ended = subject.prefix(untilOutputFrom: watched).record()
        other.send("x")
        #expect(ended.log.last == "finished")
        #expect(log == ["cancel"])
        let dropping = subject.drop(untilOutputFrom: watched).record()
        other.send("y")
        subject.send(1)
        #expect(dropping.log.last == "1")
        #expect(log == ["cancel"])
        subject.send(completion: .finished)
        #expect(log == ["cancel", "cancel"])
    }
}
