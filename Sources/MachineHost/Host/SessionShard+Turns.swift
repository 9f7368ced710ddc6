import HTTPModel
import Log

// The duration of turns, and the limit on turns in a row.
extension SessionShard {
    /// The number of blocks of a session that may wait, for each turn that is allowed in a row.
    // A machine whose turns each schedule two more doubles its queue each time: it would exhaust memory long before it
    // reaches the limit on turns in a row.
    private static let blocksPerTurnInARow = 16
    /// The time that the blocks of one session may take in a round, in nanoseconds. A single block may take longer.
    // Other sessions and sockets of the loop wait until the round ends.
    private static let timeInRound: UInt64 = 5_000_000

    /// The maximum number of waiting blocks of a session.
    var blocksWaiting: Int {
        let (count, isBeyond) = host.configuration.turnsInARow.multipliedReportingOverflow(
            by: SessionShard.blocksPerTurnInARow)
        return isBeyond ? .max : count
    }

    /// Whether another block may run in this round.
    var hasTimeInRound: Bool {
        turnWatch.lastEnd.nanoseconds <= loop.now.nanoseconds + SessionShard.timeInRound
    }

    /// Measures the turn that has ended, and logs it if it took too long.
    func turnEnded(of machine: RegisteredMachine) {
        guard let duration = turnWatch.turnEnded(at: loop.currentTime, round: loop.now),
            let unreported = turnWatch.report(on: machine, now: tick)
        else { return }
        host.log(
            .warning, "slow turn",
            [
                "machine": .text(machine.definition.name), "input": .text((currentTurn?.trigger ?? .scheduled).text),
                "milliseconds": .number(Int(duration.wholeMilliseconds)), "unreported": .number(unreported),
            ], and: traceFields)
    }

    /// Ends a session whose turns keep causing further turns.
    func endForEndlessTurns(_ session: Session) {
        _ = fail(session, EndlessTurns(turnsInARow: host.configuration.turnsInARow))
    }
}

/// A machine whose turns cause further turns without a pause.
private struct EndlessTurns: LoggableError, CustomStringConvertible {
    let turnsInARow: Int

    var description: String {
        "its turns cause further turns without a pause, more than \(turnsInARow) in a row (sessions.turnsInARow)"
    }
}
