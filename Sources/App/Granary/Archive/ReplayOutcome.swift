import MachineHost

/// The result of a replay, and the lines in which the command prints it.
struct ReplayOutcome: Equatable {
    /// The first difference.
    struct Divergence: Equatable {
        /// The number of the turn in the recording, from 1; nil if the machine already differs before the first one.
        let turn: Int?
        /// The difference, which contains values.
        let difference: String
    }

    /// The number of turns without a difference.
    let turns: Int
    /// Whether the recording begins when the session was created.
    let beginsWithCreation: Bool
    /// The version with which it begins otherwise.
    var firstVersion: UInt64 = 0
    /// The first difference; nil if none exists.
    let divergence: Divergence?

    private static let beginning = "replayed "
    private static let creation = "from its creation"
    private static let snapshot = "from the snapshot of version "
    private static let same = ", differences: none"
    private static let count = ", turns: "
    private static let countBefore = ", turns without a difference: "

    /// The lines.
    var text: String {
        let start = beginsWithCreation ? ReplayOutcome.creation : "\(ReplayOutcome.snapshot)\(firstVersion)"
        guard let divergence else {
            return "\(ReplayOutcome.beginning)\(start)\(ReplayOutcome.count)\(turns)\(ReplayOutcome.same)"
        }
        return "\(ReplayOutcome.beginning)\(start)\(ReplayOutcome.countBefore)\(turns)\n\(divergence.difference)"
    }

    init(turns: Int, beginsWithCreation: Bool, firstVersion: UInt64, divergence: ReplayDivergence?) {
        self.turns = turns
        self.beginsWithCreation = beginsWithCreation
        self.firstVersion = beginsWithCreation ? 0 : firstVersion
        self.divergence = divergence.map { Divergence(turn: $0.turn?.number, difference: "\($0)") }
    }

    /// Finds the last lines of a replay in its output. Returns nil if it has not ended with a result.
    init?(_ output: String) {
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
        guard let index = lines.lastIndex(where: { $0.hasPrefix(ReplayOutcome.beginning) }) else { return nil }
        let line = lines[index].dropFirst(ReplayOutcome.beginning.count)
        beginsWithCreation = line.hasPrefix(ReplayOutcome.creation)
        if !beginsWithCreation {
            guard line.hasPrefix(ReplayOutcome.snapshot),
                let version = UInt64(line.dropFirst(ReplayOutcome.snapshot.count).prefix { $0 != "," })
            else { return nil }
            firstVersion = version
        }
        guard let number = line.firstRange(of: ": ").flatMap({ Int(line[$0.upperBound...].prefix { $0.isNumber }) })
        else {
            return nil
        }
        turns = number
        if line.hasSuffix(ReplayOutcome.same) {
            divergence = nil
            return
        }
        guard line.contains(ReplayOutcome.countBefore) else { return nil }
        let rest = lines[(index + 1)...].joined(separator: "\n").trimmingSuffix("\n")
        let turn = rest.hasPrefix("turn ") ? Int(rest.dropFirst(5).prefix { $0.isNumber }) : nil
        divergence = Divergence(turn: turn, difference: rest)
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: Character) -> String {
        var text = self[...]
        while text.last == suffix { text = text.dropLast() }
        return String(text)
    }
}
