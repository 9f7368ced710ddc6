import Foundation
import Locking
import MachineHost
import Testing

@testable import PostgreSQLJournal

extension StoredSessionID {
    static func sample(_ number: UInt64) -> StoredSessionID {
        StoredSessionID(high: number &* 0x9e37_79b9_7f4a_7c15, low: number)
    }
}

extension SessionSnapshot {
    static func sample(
        _ session: StoredSessionID, covers: UInt64 = 0, hasEnded: Bool = false, name: String? = nil
    ) -> SessionSnapshot {
        let summary = SessionSummary(
            id: session, machine: "counter", version: covers, createdAt: 1, usedAt: 2, expiresAt: nil, wakesAt: nil,
            hasEnded: hasEnded, name: name.map { SessionName(owner: SessionOwner(high: 1, low: 2), text: $0) })
        return SessionSnapshot(summary: summary, covers: covers, content: [1])
    }
}

extension JournalBatch {
    /// Appends rows of one byte.
    mutating func append(_ session: StoredSessionID, rows: ClosedRange<UInt64>) {
        for number in rows {
            append(session: session, number: number, previous: number - 1, wakesAt: nil) { $0.append(1) }
        }
    }
}

extension Journal {
    func commit(_ fill: (inout JournalBatch) throws -> Void) throws {
        var batch = JournalBatch()
        try fill(&batch)
        try commit(batch, isFlushed: true)
    }

    func numbers(of session: StoredSessionID) throws -> [UInt64] {
        try load(session)?.rows.map(\.number) ?? []
    }
}

/// Returns the error that a closure throws; nil if it throws none.
func failure(_ body: () throws -> Void) -> JournalError? {
    do {
        try body()
        return nil
    } catch {
        return error as? JournalError
    }
}

/// A call on a thread of its own.
final class Call: Sendable {
    private let ended = DispatchSemaphore(value: 0)
    private let state = Lock<(hasEnded: Bool, error: (any Error)?)>((false, nil))

    init(_ body: @escaping @Sendable () throws -> Void) {
        start { [self] in
            let result = Result { try body() }
            state.withLock { state in
                state.hasEnded = true
                if case .failure(let error) = result { state.error = error }
            }
            ended.signal()
        }
    }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Waits for the end, and throws the error of the call.
    func value() throws {
        ended.wait()
        if let error = state.withLock({ $0.error }) { throw error }
    }
}

/// What a policy has reported.
final class Reports: Sendable {
    private let arrived = DispatchSemaphore(value: 0)
    private let state = Lock<[String?]>([])

    func add(_ reason: String?) {
        state.withLock { $0.append(reason) }
        arrived.signal()
    }

    var isEmpty: Bool { state.withLock { $0.isEmpty } }

    /// Waits for the next report.
    func next() -> String? {
        arrived.wait()
        return state.withLock { $0.removeFirst() }
    }

    /// A policy that reports here.
    func wait(limit: Duration = .milliseconds(1)) -> EngineWait { EngineWait(limit: limit) { self.add($0) } }
}

/// Waits for a condition of the engine.
func eventually(_ condition: () throws -> Bool) throws {
    let end = Date(timeIntervalSinceNow: 120)
    while try !condition() {
        try #require(Date() < end, "expected a condition within two minutes")
        usleep(5000)
    }
}
