import StateCapture
import Testing

@testable import MachineHost

/// How the clock of a journal continues in the next process. The stored anchor is from a run in which the journal's clock was
/// 1,000 s ahead of the uptime, and in which the wall clock was then set forward by 2 h.
struct ClockAnchorTests {
    private let stored = ClockAnchor(
        boot: "a", offset: 1_000_000_000_000, wallLead: 7_200_000, reached: 1_060_000)

    /// Returns the stored time with which a process begins, in milliseconds, and its anchor.
    private func begin(
        after stored: ClockAnchor?, boot: String?, uptime: Int64, wallTime: Int64
    ) -> (time: Int64, anchor: ClockAnchor) {
        let anchor = ClockAnchor.following(
            stored, boot: boot, uptime: uptime * 1_000_000_000, wallTime: wallTime * 1_000_000_000)
        return (uptime * 1000 + anchor.offset / 1_000_000, anchor)
    }

    @Test func `a journal without a clock continues with the wall time that it was written with`() {
        let (time, anchor) = begin(after: nil, boot: "a", uptime: 70, wallTime: 1_070)
        #expect(time == 1_070_000)
        #expect(anchor == ClockAnchor(boot: "a", offset: 1_000_000_000_000, wallLead: 0, reached: 1_070_000))
    }

    @Test(arguments: [0, 8_000, 1_000_000] as [Int64])
    func `in the same run of the system, only the uptime counts`(wallTime: Int64) {
        let (time, anchor) = begin(after: stored, boot: "a", uptime: 75, wallTime: wallTime)
        #expect(time == 1_075_000)
        #expect(anchor == stored)
    }

    @Test func `in another run, the wall clock tells how much time has passed, also one that was set before`() {
        let (time, anchor) = begin(after: stored, boot: "b", uptime: 5, wallTime: 1_060 + 7_200 + 300)
        #expect(time == 1_360_000)
        #expect(anchor.boot == "b")
        #expect(anchor.wallLead == 7_200_000)
    }

    @Test(arguments: ["b", nil])
    func `in another run, a clock that was set back does not lengthen a span`(boot: String?) {
        let (time, anchor) = begin(after: stored, boot: boot, uptime: 5, wallTime: 10)
        // The journal may have gone on for almost a second after it noted a time.
        #expect(time == 1_061_000)
        #expect(anchor.wallLead == 10_000 - 1_061_000)
    }

    @Test func `an uptime that is behind is that of another run, whatever its name`() {
        let (time, _) = begin(after: stored, boot: "a", uptime: 3, wallTime: 10)
        #expect(time == 1_061_000)
    }

    @Test func `runs without a name are different runs`() {
        let nameless = ClockAnchor(boot: nil, offset: stored.offset, wallLead: 0, reached: stored.reached)
        #expect(begin(after: nameless, boot: nil, uptime: 75, wallTime: 2_000).time == 2_000_000)
    }

    @Test func `the clock is noted once a second, and when the wall clock was set`() {
        #expect(!stored.isOutdated(at: 1_060_999, lead: 7_200_000))
        #expect(stored.isOutdated(at: 1_061_000, lead: 7_200_000))
        #expect(stored.isOutdated(at: 1_060_000, lead: 0))
    }

    @Test func `a journal keeps its clock, and one that is damaged is not opened`() throws {
        let journal = MemoryJournal()
        #expect(try ClockAnchor(storedIn: journal) == nil)
        for anchor in [stored, ClockAnchor(boot: nil, offset: -5, wallLead: -7, reached: 0)] {
            var batch = JournalBatch()
            batch.add(.set(property: ClockAnchor.property, value: anchor.content))
            try journal.commit(batch, isFlushed: true)
            #expect(try ClockAnchor(storedIn: journal) == anchor)
        }
        var batch = JournalBatch()
        batch.add(.set(property: ClockAnchor.property, value: Array(stored.content.dropLast())))
        try journal.commit(batch, isFlushed: true)
        #expect(throws: JournalError.self) { try ClockAnchor(storedIn: journal) }
    }
}
