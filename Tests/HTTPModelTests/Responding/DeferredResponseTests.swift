import HTTPModel
import Testing

@Suite struct DeferredResponseTests {
    @Test func `an answer that comes later is taken when it comes, once`() {
        let deferred = DeferredResponse()
        var taken: [HTTPStatus] = []
        deferred.whenFulfilled { taken.append($0.status) }
        #expect(taken.isEmpty)
        deferred.fulfil(HTTPResponse(status: .ok))
        deferred.fulfil(HTTPResponse(status: .gone))
        #expect(taken == [.ok])
    }

    @Test func `an answer that is there is taken at once, by the first who asks`() {
        let deferred = DeferredResponse()
        deferred.fulfil(HTTPResponse(status: .created))
        deferred.fulfil(HTTPResponse(status: .gone))
        var taken: [HTTPStatus] = []
        deferred.whenFulfilled { taken.append($0.status) }
        deferred.whenFulfilled { taken.append($0.status) }
        #expect(taken == [.created])
    }
}
