import CombineCore
import HTTPModel
import Locking

/// The reads of the journal that requests wait for. Confined to its loop.
///
/// A few are in progress at a time, and clients take turns. So a client with many requests delays another one's request by a few
/// reads, and what the loops have to store is stored in between.
struct JournalReads {
    /// Reads on the writer's thread, without a journal if none is open, and returns what to do with the result on the loop.
    typealias Read = @Sendable ((any Journal)?) -> Continuation
    /// Continues on the loop with what was read.
    typealias Continuation = (SessionShard) -> Void

    /// The maximum number of reads in progress.
    static let maxInProgress = 16

    private var waiting = FairQueue<Read>()
    private var results = Queue<Continuation>()
    /// The number of reads on the writer's thread, and of results that are not handled.
    private var inProgress = 0
    /// Whether the handling of results is scheduled.
    var isScheduled = false

    /// Whether results are not handled.
    var hasResult: Bool { !results.isEmpty }

    mutating func add(_ read: @escaping Read, of source: WorkSource) {
        waiting.append(read, of: source)
    }

    /// Removes and returns the reads that may begin now.
    mutating func begin() -> [Read] {
        // A single one begins immediately. Of many, half of those in progress begin together, because each group waits for a commit.
        let limit = waiting.count == 1 ? JournalReads.maxInProgress - 1 : JournalReads.maxInProgress / 2
        guard inProgress <= limit else { return [] }
        var reads: [Read] = []
        while inProgress < JournalReads.maxInProgress, let read = waiting.removeFirst() {
            reads.append(read)
            inProgress += 1
        }
        return reads
    }

    mutating func add(results: [Continuation]) {
        for result in results { self.results.append(result) }
        assert(
            self.results.count <= inProgress,
            "expected at most one result for each of \(inProgress) reads, got \(self.results.count)")
    }

    /// Removes and returns the first result; nil if all results are handled.
    mutating func takeResult() -> Continuation? {
        guard let result = results.removeFirst() else { return nil }
        inProgress -= 1
        assert(inProgress >= 0, "expected to handle each read once")
        return result
    }
}

extension SessionShard {
    /// Queues a request until the journal has been read for it. The request is dropped if its client has left meanwhile, and waits again
    /// if another process may continue the sessions.
    func readJournal(
        for waiting: PendingRequest,
        _ read: @escaping @Sendable ((any Journal)?) -> (SessionShard, PendingRequest) -> Void
    ) {
        let cause = pending.nextAnswer()
        guard wait(waiting, for: cause) else { return }
        readJournal(for: WorkSource(waiting.request.peer)) { journal in
            let proceed = read(journal)
            return { shard in
                guard let waiting = shard.pending.take(cause) else { return }
                if shard.isSuspended { shard.waitForTurns(waiting) } else { proceed(shard, waiting) }
            }
        }
    }

    /// Reads the journal, after everything that was added before has been stored, and continues with the result.
    ///
    /// - Parameter source: The source of the read: the peer of the request that waits.
    func readJournal(for source: WorkSource, _ read: @escaping JournalReads.Read) {
        loop.assertCurrent()
        reads.add(read, of: source)
        beginReads()
    }

    private func beginReads() {
        let begun = reads.begin()
        guard !begun.isEmpty, let writer = host.journal else { return }
        let shard = UnsafeTransfer(backReference)
        writer.withJournal { [loop] journal in
            let results = UnsafeTransfer(begun.map { $0(journal) })
            loop.execute { shard.value.shard?.wereRead(results.value) }
        }
    }

    private func wereRead(_ results: [JournalReads.Continuation]) {
        reads.add(results: results)
        if !reads.isScheduled { handleReads() }
    }

    /// Handles the results that there is time for. Each may create or restore a session, so nobody knows how long it takes.
    private func handleReads() {
        while let result = reads.takeResult() {
            result(self)
            // A suspended journal was not read at all. The requests wait again, before it can be resumed.
            if !isSuspended, reads.hasResult, loop.isRoundOver { break }
        }
        beginReads()
        guard reads.hasResult, !reads.isScheduled else { return }
        reads.isScheduled = true
        loop.execute { [shard = UnsafeTransfer(backReference)] in
            shard.value.shard?.reads.isScheduled = false
            shard.value.shard?.handleReads()
        }
    }
}
