import Testing

@testable import TLS

@Suite struct RecordAllowanceTests {
    @Test func `bytes without content are used up`() {
        var allowance = RecordAllowance()
        for _ in 0..<64 { #expect(take(&allowance, received: 1024, content: 0)) }
        #expect(!take(&allowance, received: 1, content: 0))
    }

    @Test func `the smallest records of content earn more than they weigh`() {
        var allowance = RecordAllowance()
        // A byte with the head, the explicit nonce and the tag of TLS 1.2.
        for _ in 0..<100_000 { #expect(take(&allowance, received: 1 + 5 + 8 + 16, content: 1)) }
    }

    @Test func `no more is kept than there was at first`() {
        var allowance = RecordAllowance()
        #expect(take(&allowance, received: 1 << 20, content: 1 << 20))
        #expect(!take(&allowance, received: (64 << 10) + 1, content: 0))
    }

    @Test func `a record that comes in pieces is no fault`() {
        var allowance = RecordAllowance()
        for _ in 0..<1000 {
            for _ in 0..<15 { #expect(take(&allowance, received: 1024, content: 0)) }
            #expect(take(&allowance, received: 1046, content: 16 << 10))
        }
    }

    /// In a function, as an expectation looks at its expression's parts as constants.
    private func take(_ allowance: inout RecordAllowance, received: Int, content: Int) -> Bool {
        allowance.take(received: received, content: content)
    }
}
