/// A turn of a replay, in words.
package struct ReplayedTurn: CustomStringConvertible {
    /// The number of the turn in the recording, from 1.
    package let number: Int
    let record: TurnRecord

    /// The time, what caused the turn, the version after it, and its change.
    package var description: String {
        let (seconds, milliseconds) = record.wallTime.quotientAndRemainder(dividingBy: 1000)
        let time = WallTime(seconds: seconds, nanoseconds: Int32(truncatingIfNeeded: milliseconds * 1_000_000)).text
        let change = record.change.map { " \(ReplayText.clipped($0))" } ?? ""
        return "\(number)  \(time)  \(cause)  -> \(record.version)\(change)"
    }

    private var cause: String {
        switch record.trigger {
        case .input(let name, let value):
            value.elementsEqual("null".utf8) ? name : "\(name) \(ReplayText.clipped(value))"
        case .batch(let inputs): "batch \(ReplayText.clipped(inputs))"
        case .received(let topic, _, let value): "topic \(ReplayText.printable(topic)) \(ReplayText.clipped(value))"
        case .resumed: "restored"
        case .scheduled: record.hasTrapped ? "trapped" : "scheduled"
        }
    }
}

/// The first difference between a recording and its replay.
package struct ReplayDivergence: CustomStringConvertible {
    /// The recorded turn; nil if the machine already differs before the first one.
    package let turn: ReplayedTurn?
    /// The difference, as a sentence without a full stop.
    package let difference: String

    package var description: String {
        guard let turn else { return "the new session differs: \(difference)" }
        return "turn \(turn.number) differs: \(difference)\n  recorded: \(turn)"
    }
}
