/// A check whether this build can restore every session of a journal.
package struct StoredSessionCheck {
    /// The number of sessions that were checked.
    package private(set) var sessions = 0
    /// The sessions that cannot be restored, with the reasons, which contain no values.
    package private(set) var problems: [String] = []

    /// Checks the sessions of a journal.
    ///
    /// - Parameters:
    ///   - journal: The journal, which should be a copy.
    ///   - machines: The machines of this build.
    ///   - now: The time of day.
    /// - Throws: The error of the journal, or of a machine that cannot be hosted.
    package init(
        of journal: any Journal, machines: [MachineDefinition], keys: SecretKeys? = nil, now: WallTime = .now()
    ) throws {
        let lead = try ClockAnchor(storedIn: journal)?.wallLead ?? 0
        let check = try RestorationCheck(of: machines, keys: keys, now: now, wallLead: lead)
        do {
            try check.catalogue.checkShapes(in: journal, stores: false)
        } catch let error as StateShapeError {
            problems.append("\(error)")
        }
        try SessionArchive(DirectJournalAccess(journal)).forEach { summary in
            guard !summary.hasEnded else { return }
            sessions += 1
            guard let reason = check.problem(of: summary, in: journal) else { return }
            problems.append("\(summary.id.shortText) (\(summary.machine)): \(reason)")
        }
    }
}
