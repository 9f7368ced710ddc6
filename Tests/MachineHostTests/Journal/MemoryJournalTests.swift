import Testing

@testable import MachineHost

struct MemoryJournalTests {
    @Test
    func `it promises nothing`() {
        #expect(MemoryJournal().guarantee == .memory)
    }
}
