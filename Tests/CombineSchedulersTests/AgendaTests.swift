import Testing

@testable import CombineSchedulers

@Suite struct AgendaTests {
    private func taken(from agenda: Agenda<Int>, until date: Int) -> [Int] {
        var agenda = agenda
        var dates: [Int] = []
        while let next = agenda.takeNext(until: date) { dates.append(next.date) }
        return dates
    }

    @Test func `entries are removed in the order of their times, up to a time`() {
        var agenda = Agenda<Int>()
        for date in [5, 1, 4, 2, 3] { agenda.add(at: date, number: agenda.nextNumber()) {} }
        #expect(agenda.nextDate == 1)
        #expect(taken(from: agenda, until: 3) == [1, 2, 3])
        #expect(taken(from: agenda, until: 0) == [])
    }

    @Test func `entries at the same time are removed in the order of their numbers`() {
        var agenda = Agenda<Int>()
        var got: [UInt] = []
        for number in [3, 1, 2] as [UInt] { agenda.add(at: 7, number: number) { got.append(number) } }
        while let next = agenda.takeNext(until: 7) { next.action() }
        #expect(got == [1, 2, 3])
    }

    @Test func `removing a number removes its entries and no others`() {
        var agenda = Agenda<Int>()
        agenda.add(at: 1, number: 1) {}
        agenda.add(at: 2, number: 2) {}
        agenda.add(at: 3, number: 1) {}
        #expect(agenda.remove(1).count == 2)
        #expect(agenda.remove(1).isEmpty)
        #expect(taken(from: agenda, until: 9) == [2])
    }
}
