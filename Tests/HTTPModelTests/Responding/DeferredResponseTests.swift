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
        var taken: [HTTPStatus] = []

        func receive(_ response: HTTPResponse) { taken.append(response.status) }

        func watch(for promise: DeferredResponse) { watched.append(promise) }
    }

    @Test(arguments: [false, true])
    func `a responder learns once that the client has left, whoever comes first`(isReceivedFirst: Bool) {
        let (deferred, receiver) = (DeferredResponse(), Receiver())
        var leaves = 0
        if isReceivedFirst { deferred.whenFulfilled(for: receiver) }
        #expect(receiver.watched.isEmpty)
        deferred.whenClientLeaves {
            leaves += 1
            deferred.fulfil(HTTPResponse(status: .noContent))
        }
        if !isReceivedFirst { deferred.whenFulfilled(for: receiver) }
        #expect(receiver.watched.count == 1)
        for _ in 0..<2 { deferred.clientLeft() }
        #expect(leaves == 1 && receiver.taken == [.noContent])
    }

    @Test(arguments: [false, true])
    func `a response that is held is received when it is released, once`(isReceivedFirst: Bool) {
        let (deferred, receiver) = (DeferredResponse(holding: HTTPResponse(status: .ok)), Receiver())
        if isReceivedFirst { deferred.whenFulfilled(for: receiver) }
        #expect(deferred.takeIfFulfilled() == nil && deferred.held?.status == .ok)
        if !isReceivedFirst { deferred.whenFulfilled(for: receiver) }
        #expect(receiver.taken.isEmpty)
        for _ in 0..<2 { deferred.release() }
        deferred.fulfil(HTTPResponse(status: .gone))
        #expect(receiver.taken == [.ok] && deferred.held == nil)
    }

    @Test func `a promise that waits holds the response, or another one, until it is released`() {
        let (deferred, receiver) = (DeferredResponse(), Receiver())
        deferred.whenFulfilled(for: receiver)
        deferred.release()
        #expect(receiver.taken.isEmpty)
        deferred.hold(HTTPResponse(status: .ok))
        deferred.fulfil(HTTPResponse(status: .serviceUnavailable))
        #expect(receiver.taken == [.serviceUnavailable])
        deferred.hold(HTTPResponse(status: .ok))
        deferred.release()
        #expect(receiver.taken == [.serviceUnavailable])
    }

    @Test func `a response that is held is changed at once, and after closures that must see it first`() {
        let deferred = DeferredResponse()
        #expect(!deferred.changeHeld { $0.status = .gone })
        deferred.hold(HTTPResponse(status: .ok))
        #expect(deferred.changeHeld { $0.status = .created })
        var seen: [HTTPStatus] = []
        deferred.change { response in
            seen.append(response.status)
            response.status = .accepted
            // A closure may use the promise.
            deferred.release()
        }
        #expect(seen.isEmpty && !deferred.changeHeld { $0.status = .gone })
        deferred.release()
        #expect(seen == [.created] && deferred.takeIfFulfilled()?.status == .accepted)
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
