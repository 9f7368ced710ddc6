import CombineCore
import Foundation
import Testing

@Suite struct DemandTests {
    typealias Demand = Subscribers.Demand

    /// Includes sums that exceed the range of a demand.
    @Test(arguments: [
        (Demand.max(2), Demand.max(3), Demand.max(5)), (.none, .none, .none), (.max(1), .unlimited, .unlimited),
        (.unlimited, .max(1), .unlimited), (.unlimited, .unlimited, .unlimited), (.max(.max), .max(1), .unlimited),
        (.max(.max), .max(.max), .unlimited),
    ])
    func `a sum saturates at unlimited`(left: Demand, right: Demand, sum: Demand) {
        #expect(left + right == sum)
        var added = left
        added += right
        #expect(added == sum)
    }

    @Test func `numbers can be added to a demand and subtracted from it`() {
        #expect(Demand.max(2) + 3 == .max(5))
        #expect(Demand.max(2) + -1 == .max(1))
        #expect(Demand.max(.max) + 1 == .unlimited)
        #expect(Demand.unlimited + 7 == .unlimited)
        #expect(Demand.max(7) - 3 == .max(4))
        #expect(Demand.max(.max) - -1 == .none)
        #expect(Demand.max(.max) - Int.min == .none)
        #expect(Demand.unlimited - 3 == .unlimited)
        var demand = Demand.max(4)
        demand += 2
        demand -= 1
        demand *= 3
        demand -= .max(5)
        #expect(demand == .max(10))
    }

    @Test func `unlimited demand stays unlimited when a demand is subtracted`() {
        #expect(Demand.unlimited - .max(4) == .unlimited)
        #expect(Demand.unlimited - .unlimited == .unlimited)
        #expect(Demand.max(4) - .unlimited == .none)
        #expect(Demand.max(4) - .max(1) == .max(3))
    }

    @Test func `a product saturates`() {
        #expect(Demand.max(3) * 4 == .max(12))
        #expect(Demand.max(.max) * 2 == .unlimited)
        #expect(Demand.unlimited * 2 == .unlimited)
        #expect(Demand.max(3) * 0 == .none)
    }

    @Test func `unlimited demand is greater than any number`() {
        #expect(Demand.unlimited > .max(.max))
        #expect(Demand.max(2) < .unlimited)
        #expect(!(Demand.unlimited < .unlimited))
        #expect(Demand.unlimited >= .unlimited && Demand.unlimited <= .unlimited)
        #expect(Demand.unlimited > 5 && Demand.unlimited >= 5 && 5 < Demand.unlimited && 5 <= Demand.unlimited)
        #expect(!(Demand.unlimited < 5) && !(Demand.unlimited <= 5) && !(5 > Demand.unlimited))
        #expect(!(5 >= Demand.unlimited) && Demand.unlimited != 5 && 5 != Demand.unlimited)
    }

    @Test func `a number compares like a demand of that size`() {
        #expect(Demand.max(5) == 5 && 5 == Demand.max(5) && Demand.max(5) != 4 && 4 != Demand.max(5))
        #expect(Demand.max(5) > 4 && Demand.max(5) >= 5 && Demand.max(5) < 6 && Demand.max(5) <= 5)
        #expect(4 < Demand.max(5) && 5 <= Demand.max(5) && 6 > Demand.max(5) && 5 >= Demand.max(5))
        #expect(Demand.max(1) < .max(2) && !(Demand.max(2) < .max(2)))
    }

    @Test func `a demand describes its size`() {
        #expect(Demand.max(3).max == 3)
        #expect(Demand.unlimited.max == nil)
        #expect(Demand.none == .max(0))
        #expect("\(Demand.max(3)) \(Demand.unlimited) \(Demand.none)" == "max(3) unlimited max(0)")
        #expect(Set([Demand.max(1), .max(1), .unlimited]).count == 2)
    }

    @Test(arguments: [Demand.none, .max(1), .max(.max), .unlimited])
    func `a demand can be encoded and decoded`(demand: Demand) throws {
        let data = try JSONEncoder().encode([demand])
        #expect(try JSONDecoder().decode([Demand].self, from: data) == [demand])
    }

    @Test func `a negative demand is a programming error`() async {
        await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(-1) }
        await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(1) - .max(2) }
        await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(1) - 2 }
        await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(1) * -1 }
    }
}
