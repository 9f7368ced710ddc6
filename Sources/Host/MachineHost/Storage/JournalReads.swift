import CombineCore
import HTTPModel
import Locking

/// The reads of the journal that requests wait for. Confined to its loop.
///
/// A few are in progress at a time, and clients take turns. So a client with many requests delays another one's request by a few
/// reads, and what the loops have to store is stored in between.
final class JournalReads {
    /// Reads on the writer's thread, without a journal if none is open, and returns what to do with the result on the loop.
    typealias Read = @Sendable ((any Journal)?) -> Continuation
    /// Continues on the loop with what was read.
    typealias Continuation = (SessionShard) -> Void

    /// The maximum number of reads in progress.
    static let maxInProgress = 16

    private let writer: JournalWriter
    private let loop: any EventLoop
    private let reference: BackReference
    private var waiting = FairQueue<Read>()
    private var results = Queue<Continuation>()
    /// The number of reads on the writer's thread, and of results that are not handled.
    private var inProgress = 0
    /// Whether the handling of results is scheduled.
    private var isScheduled = false

    init(of writer: JournalWriter, on loop: any EventLoop, for reference: BackReference) {
        (self.writer, self.loop, self.reference) = (writer, loop, reference)
    }

    /// Reads the journal, after everything that was added before has been stored, and continues with the result.
    ///
    /// - Parameter source: Whose turn it is: the peer of the request that waits.
    func add(_ read: @escaping Read, of source: WorkSource) {
        loop.assertCurrent()
        waiting.append(read, of: source)
        begin()
    }

    private func begin() {
        let reads = takeNext()
        guard !reads.isEmpty else { return }
        let target = UnsafeTransfer(self)
        writer.withJournal { [loop] journal in
            let results = UnsafeTransfer(reads.map { $0(journal) })
            loop.execute { target.value.wereRead(results.value) }
        }
    }

    /// Removes and returns the reads that may begin now.
    private func takeNext() -> [Read] {
        // A single one begins at once. Of many, half of those in progress begin together, because each group waits for a commit.
        let limit = waiting.count == 1 ? JournalReads.maxInProgress - 1 : JournalReads.maxInProgress / 2
        guard inProgress <= limit else { return [] }
        var reads: [Read] = []
        while inProgress < JournalReads.maxInProgress, let read = waiting.removeFirst() {
            reads.append(read)
            inProgress += 1
        }
        assert(
            inProgress <= JournalReads.maxInProgress,
            "expected at most \(JournalReads.maxInProgress) reads in progress, got \(inProgress)")
        return reads
    }

    private func wereRead(_ results: [Continuation]) {
        for result in results { self.results.append(result) }
        assert(
            self.results.count <= inProgress,
            "expected at most one result for each of \(inProgress) reads, got \(self.results.count)")
        if !isScheduled { handleResults() }
    }

    /// Handles the results that there is time for. Each may create or restore a session, so nobody knows how long it takes.
    private func handleResults() {
        guard let shard = reference.shard else { return }
        while let result = results.removeFirst() {
            inProgress -= 1
            assert(inProgress >= 0, "expected to handle each read once")
            result(shard)
            // A suspended journal was not read at all. The requests wait again, before it can be resumed.
            if !shard.isSuspended, !results.isEmpty, loop.isRoundOver { break }
        }
        begin()
        guard !results.isEmpty, !isScheduled else { return }
        isScheduled = true
        loop.execute { [reads = UnsafeTransfer(self)] in
            reads.value.isScheduled = false
            reads.value.handleResults()
        }
    }
}

extension SessionShard {
    /// Queues a request until the journal was read. It is not continued with if its client has left meanwhile, and waits again if
    /// another process may continue the sessions.
    ///
    /// - Parameter cause: The cause of the request; nil if nobody else asks for it.
    func readJournal(
        for waiting: PendingRequest, _ cause: PendingRequests.Cause? = nil,
        _ read: @escaping @Sendable ((any Journal)?) -> (SessionShard, PendingRequest) -> Void
    ) {
        let cause = cause ?? pending.nextRead()
        guard let reads, wait(waiting, for: cause) else { return }
        let proceed: JournalReads.Read = { journal in
            let proceed = read(journal)
            return { shard in
                guard let waiting = shard.pending.take(cause) else { return }
                if shard.isSuspended { shard.waitForTurns(waiting) } else { proceed(shard, waiting) }
            }
        }
        reads.add(proceed, of: WorkSource(waiting.request.peer))
    }
}
