import HTTPModel
import Testing

@testable import MachineHost

struct ClientSharesTests {
    private func client(_ number: Int) -> ClientTable.Client { ClientTable.Client(bits: UInt128(number)) }

    @Test func `whoever has the most makes room, and nobody for an equal`() {
        var shares = ClientShares()
        #expect(shares.donor(for: client(1)) == nil)
        shares.add(client(1))
        #expect(shares.donor(for: client(2)) == nil)
        shares.add(client(1))
        #expect(shares.donor(for: client(2)) == client(1))
        #expect(shares.donor(for: client(1)) == nil)
        shares.add(client(2))
        #expect(shares.donor(for: client(2)) == nil)
        #expect(shares.donor(for: client(3)) == client(1))
        shares.remove(client(1))
        #expect(shares.donor(for: client(3)) == nil)
    }

    @Test(arguments: 1...20) func `it agrees with a count of all entries`(_ seed: Int) {
        var shares = ClientShares()
        var counts: [Int: Int] = [:]
        var state = UInt64(seed)
        for _ in 0..<500 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let number = Int(state >> 33) % 5
            if state >> 62 < 2 {
                shares.add(client(number))
                counts[number, default: 0] += 1
            } else if let count = counts[number] {
                shares.remove(client(number))
                counts[number] = count > 1 ? count - 1 : nil
            } else {
                shares.remove(client(number))
            }
            let most = counts.values.max() ?? 0
            for number in 0..<5 {
                let donor = shares.donor(for: client(number))
                #expect((donor != nil) == (most > counts[number, default: 0] + 1))
                if let donor { #expect(counts[Int(donor.bits)] == most) }
            }
        }
    }
}
