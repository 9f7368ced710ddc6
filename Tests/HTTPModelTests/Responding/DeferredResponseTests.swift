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
}
