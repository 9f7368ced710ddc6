import HTTPModel
import Testing

@Suite struct DeferredResponseTests {
    @Test func `a pending response is delivered once when it is available`() {
        let deferred = DeferredResponse()
        var taken: [HTTPStatus] = []
        deferred.whenFulfilled { taken.append($0.status) }
        #expect(taken.isEmpty)
        deferred.fulfil(HTTPResponse(status: .ok))
        deferred.fulfil(HTTPResponse(status: .gone))
        #expect(taken == [.ok])
    }

    @Test func `an available response is delivered immediately, to the first consumer only`() {
        let deferred = DeferredResponse()
        deferred.fulfil(HTTPResponse(status: .created))
        deferred.fulfil(HTTPResponse(status: .gone))
        var taken: [HTTPStatus] = []
        deferred.whenFulfilled { taken.append($0.status) }
        deferred.whenFulfilled { taken.append($0.status) }
        #expect(taken == [.created])
    }

    @Test func `a response that is available can be taken once`() {
        let deferred = DeferredResponse()
        #expect(deferred.takeIfFulfilled()?.status == nil)
        deferred.fulfil(HTTPResponse(status: .ok))
        #expect(deferred.takeIfFulfilled()?.status == .ok)
        #expect(deferred.takeIfFulfilled()?.status == nil)
        deferred.whenFulfilled { _ in Issue.record("expected a response only once") }
    }

    private final class Receiver: ResponseReceiver {
        let awaitsResponse = true
        var watched: [DeferredResponse] = []
        func watch(for promise: DeferredResponse) { watched.append(promise) }
    }

    @Test(arguments: [false, true])
    func `a responder learns once that the client has left, whoever comes first`(isReceivedFirst: Bool) {
        let (deferred, receiver) = (DeferredResponse(), Receiver())
        var (leaves, taken) = (0, [HTTPStatus]())
        func receive() { deferred.whenFulfilled(for: receiver) { taken.append($0.status) } }
        if isReceivedFirst { receive() }
        #expect(receiver.watched.isEmpty)
        deferred.whenClientLeaves {
            leaves += 1
            deferred.fulfil(HTTPResponse(status: .noContent))
        }
        if !isReceivedFirst { receive() }
        #expect(receiver.watched.count == 1)
        for _ in 0..<2 { deferred.clientLeft() }
        #expect(leaves == 1 && taken == [.noContent])
    }

    @Test func `a client that leaves after the response changes nothing`() {
        let deferred = DeferredResponse()
        deferred.whenClientLeaves { Issue.record("expected no action after the response") }
        deferred.fulfil(HTTPResponse(status: .ok))
        deferred.clientLeft()
        deferred.whenClientLeaves { Issue.record("expected no action after the response") }
        deferred.clientLeft()
        #expect(deferred.takeIfFulfilled()?.status == .ok)
    }
}
