import Testing

@testable import TLS

@Suite struct RecordAllowanceTests {
    /// Returns the number of reads with the given bytes and content that are allowed, up to `most`.
    private func reads(received: Int, content: Int, most: Int) -> Int {
        var allowance = RecordAllowance()
        return (0..<most).first { _ in !allowance.take(received: received, content: content) } ?? most
    }

    @Test func `bytes without content use up the allowance`() {
        #expect(reads(received: 1024, content: 0, most: 1000) == 64)
    }

    @Test func `the smallest records with content restore more than they use`() {
        // One byte of content with the header, the explicit nonce and the tag of TLS 1.2.
        #expect(reads(received: 1 + 5 + 8 + 16, content: 1, most: 100_000) == 100_000)
    }

    @Test func `the allowance never exceeds its initial value`() {
        var allowance = RecordAllowance()
        let isMuchTaken = allowance.take(received: 1 << 20, content: 1 << 20)
        let isRestTaken = allowance.take(received: (64 << 10) + 1, content: 0)
        #expect(isMuchTaken)
        #expect(!isRestTaken)
    }

    @Test func `a record that arrives in pieces does not use up the allowance`() {
        var allowance = RecordAllowance()
        var isBorne = true
        for _ in 0..<1000 {
            for _ in 0..<15 { isBorne = allowance.take(received: 1024, content: 0) && isBorne }
            isBorne = allowance.take(received: 1046, content: 16 << 10) && isBorne
        }
        #expect(isBorne)
    }
}
