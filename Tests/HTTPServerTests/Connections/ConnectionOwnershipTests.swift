import Testing

@testable import HTTPServer

@Suite struct ConnectionOwnershipTests {
    /// `#expect` takes no calls of a value that cannot be copied.
    private func expect(_ result: Bool, _ expected: Bool = true, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(result == expected, sourceLocation: sourceLocation)
    }

    @Test func `the owner may touch a connection that is not lent`() {
        let ownership = ConnectionOwnership()
        expect(ownership.isWithOwner())
        expect(ownership.claim())
        expect(ownership.isWithOwner())
    }

    @Test func `a connection that nobody waits for is returned without notice`() {
        let ownership = ConnectionOwnership()
        ownership.lend(isRecalled: false)
        expect(ownership.isWithOwner(), false)
        expect(ownership.returnWithoutNotice())
        expect(ownership.claim())
    }

    @Test(arguments: [false, true])
    func `an owner that waits for a connection is notified`(_ isRecalledFromTheStart: Bool) {
        let ownership = ConnectionOwnership()
        ownership.lend(isRecalled: isRecalledFromTheStart)
        if !isRecalledFromTheStart { expect(ownership.claim(), false) }
        expect(ownership.returnWithoutNotice(), false)
        expect(ownership.claim(), false)
        ownership.takeBack()
        expect(ownership.claim())
    }

    @Test func `events that are missed are told once`() {
        let ownership = ConnectionOwnership()
        ownership.lend(isRecalled: false)
        ownership.recordMissedEvents(.readable)
        ownership.recordMissedEvents(.peerFinished)
        ownership.takeBack()
        let (missed, later) = (ownership.takeMissedEvents(), ownership.takeMissedEvents())
        #expect(missed == [.readable, .peerFinished])
        #expect(later.isEmpty)
    }
}
