import JournalTesting
import MachineHost
import Testing

struct SimulatedJournalTests {
    private let session = StoredSessionID.sample(1)

    private func journal(_ fault: JournalFaults.Fault, at commit: Int) -> SimulatedJournal {
        var faults = JournalFaults(seed: 3)
        faults.commits[commit] = fault
        return SimulatedJournal(faults: faults)
    }

    @Test(
        arguments: [
            (.crashBeforeWriting, .process, false), (.crashAfterWriting, .process, true),
            (.crashAfterFlushing, .process, true), (.crashBeforeWriting, .power, false),
            (.crashAfterFlushing, .power, true),
        ] as [(JournalFaults.Fault, JournalLoss, Bool)])
    func `a crash leaves what was written before`(
        fault: JournalFaults.Fault, loss: JournalLoss, isStored: Bool
    ) throws {
        let journal = journal(fault, at: 2)
        try journal.append(session, rows: 1...1)
        #expect(throws: SimulatedCrash()) { try journal.append(session, rows: 2...2) }
        #expect(journal.hasCrashed)
        #expect(throws: SimulatedCrash()) { try journal.load(session) }
        let next = try journal.reopened(after: loss)
        #expect(try next.numbers(of: session) == (isStored ? [1, 2] : [1]))
        try next.append(session, rows: isStored ? 3...3 : 2...2)
        #expect(next.commits == 3)
    }

    @Test
    func `a loss of power leaves a prefix of what was not flushed, and each length with some seed`() throws {
        var found: Set<Int> = []
        for seed in 0..<100 as Range<UInt64> {
            let journal = SimulatedJournal(faults: JournalFaults(seed: seed))
            try journal.append(session, rows: 1...1)
            for number in 2...4 as ClosedRange<UInt64> {
                try journal.append(session, rows: number...number, isFlushed: false)
            }
            let numbers = try journal.reopened(after: .power).numbers(of: session)
            #expect(numbers == Array([1, 2, 3, 4].prefix(numbers.count)))
            found.insert(numbers.count)
        }
        #expect(found == [1, 2, 3, 4])
    }

    @Test
    func `a test decides when a commit completes`() throws {
        let journal = SimulatedJournal()
        var batch = JournalBatch()
        batch.add(.store(.sample(session)))
        try journal.begin(batch, isFlushed: true)
        #expect(failure { try journal.begin(batch, isFlushed: true) }?.kind == .unsupported)
        #expect(try journal.load(session) != nil)
        try journal.complete()
        #expect(failure { try journal.complete() }?.kind == .unsupported)
        try journal.begin(batch, isFlushed: true)
        journal.crash()
        #expect(throws: SimulatedCrash()) { try journal.complete() }
    }

    @Test
    func `a full disk stores nothing, and later calls are refused`() throws {
        let journal = journal(.full, at: 2)
        try journal.append(session, rows: 1...1)
        #expect(failure { try journal.append(session, rows: 2...2) }?.kind == .full)
        #expect(failure { _ = try journal.load(session) }?.kind == .closed)
        #expect(try journal.reopened(after: .process).numbers(of: session) == [1])
    }

    @Test
    func `a failed flush loses only what was not flushed`() throws {
        var found: Set<Int> = []
        for seed in 0..<40 as Range<UInt64> {
            var faults = JournalFaults(seed: seed)
            faults.commits[2] = .inputOutput
            let journal = SimulatedJournal(faults: faults)
            try journal.append(session, rows: 1...1)
            #expect(failure { try journal.append(session, rows: 2...2) }?.kind == .inputOutput)
            #expect(failure { try journal.append(session, rows: 3...3) }?.kind == .closed)
            found.insert(try journal.reopened(after: .process).numbers(of: session).count)
        }
        #expect(found == [1, 2])
    }

    @Test
    func `opening is refused as often as planned`() throws {
        var faults = JournalFaults()
        faults.openings = [.held, .inputOutput]
        let journal = SimulatedJournal(faults: faults)
        try journal.append(session, rows: 1...1)
        #expect(failure { _ = try journal.reopened(after: .process) }?.kind == .held)
        #expect(failure { _ = try journal.reopened(after: .process) }?.kind == .inputOutput)
        #expect(try journal.reopened(after: .process).numbers(of: session) == [1])
    }

    @Test
    func `an early acknowledgement is lost by a crash`() throws {
        var faults = JournalFaults()
        faults.acknowledgesEarly = true
        let journal = SimulatedJournal(faults: faults)
        try journal.append(session, rows: 1...1)
        try journal.append(session, rows: 2...2)
        #expect(try journal.numbers(of: session) == [1, 2])
        #expect(try journal.reopened(after: .process).numbers(of: session) == [1])
    }

    @Test
    func `random faults are the same for the same seed`() {
        let faults = JournalFaults.random(seed: 5, commits: 1000, interval: 20)
        #expect(faults.commits == JournalFaults.random(seed: 5, commits: 1000, interval: 20).commits)
        #expect(faults.commits != JournalFaults.random(seed: 6, commits: 1000, interval: 20).commits)
        #expect((20...100).contains(faults.commits.count))
    }
}
