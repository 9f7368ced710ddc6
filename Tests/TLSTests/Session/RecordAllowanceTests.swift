import Testing

@testable import TLS

@Suite struct RecordAllowanceTests {
    /// How many reads of that size and content are borne, up to `most`.
    private func reads(received: Int, content: Int, most: Int) -> Int {
        var allowance = RecordAllowance()
        return (0..<most).first { _ in !allowance.take(received: received, content: content) } ?? most
    }

    @Test func `bytes without content are used up`() {
        #expect(reads(received: 1024, content: 0, most: 1000) == 64)
    }

    @Test func `the smallest records of content earn more than they weigh`() {
        // A byte with the head, the explicit nonce and the tag of TLS 1.2.
        #expect(reads(received: 1 + 5 + 8 + 16, content: 1, most: 100_000) == 100_000)
    }

    @Test func `no more is kept than there was at first`() {
        var allowance = RecordAllowance()
        let isMuchTaken = allowance.take(received: 1 << 20, content: 1 << 20)
        let isRestTaken = allowance.take(received: (64 << 10) + 1, content: 0)
        #expect(isMuchTaken)
        #expect(!isRestTaken)
    }

    @Test func `a record that comes in pieces is no fault`() {
        var allowance = RecordAllowance()
        var isBorne = true
        for _ in 0..<1000 {
            for _ in 0..<15 { isBorne = allowance.take(received: 1024, content: 0) && isBorne }
            isBorne = allowance.take(received: 1046, content: 16 << 10) && isBorne
        }
        #expect(isBorne)
    }
}
