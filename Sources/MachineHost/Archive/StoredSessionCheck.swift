import CombineCore
import Log
import StateCapture

/// A check whether this build can restore every session of a journal. Machines are wired and discarded: nothing runs, and
/// nothing is stored.
package struct StoredSessionCheck {
    /// The number of sessions that were checked.
    package private(set) var sessions = 0
    /// The sessions that cannot be restored, with the reasons, which contain no values.
    package private(set) var problems: [String] = []

    private let catalogue: MachineCatalogue
    /// The stored time, in nanoseconds.
    private let now: Int64
    private let seal: SessionSeal

    /// Checks the sessions of a journal.
    ///
    /// - Parameters:
    ///   - journal: The journal, which should be a copy.
    ///   - machines: The machines of this build.
    ///   - keys: The keys for secrets.
    ///   - now: The time of day.
    /// - Throws: The error of the journal, or of a machine that cannot be hosted.
    package init(
        of journal: any Journal, machines: [MachineDefinition], keys: SecretKeys? = nil, now: WallTime = .now()
    ) throws {
        catalogue = try MachineCatalogue(machines, stored: .replicated, keys: keys)
        seal = SessionSeal(keys, machines: machines)
        self.now = now.sinceBeginning - (try ClockAnchor(storedIn: journal)?.wallLead ?? 0) * 1_000_000
        do {
            try catalogue.checkShapes(in: journal, stores: false)
        } catch let error as StateShapeError {
            problems.append("\(error)")
        }
        let access = DirectJournalAccess(journal)
        try SessionArchive(access).forEach { summary in
            guard !summary.hasEnded else { return }
            sessions += 1
            guard let reason = problem(of: summary, in: journal) else { return }
            problems.append("\(summary.id.shortText) (\(summary.machine)): \(reason)")
        }
    }

    private func problem(of summary: SessionSummary, in journal: any Journal) -> String? {
        guard let machine = catalogue[summary.machine] else { return "no machine has this name" }
        guard machine.durability > .memory else {
            return "the machine cannot be captured: \(machine.definition.obstacleText ?? "")"
        }
        do {
            guard let entry = try journal.load(summary.id) else { return "expected a stored session, got none" }
            var stored = try StoredSession(entry, opening: seal)
            _ = try stored.fit(machine.definition, build: "", now: now / 1_000_000, window: 0)
            try wire(machine.definition, stored)
            return nil
        } catch let error as JournalError {
            return error.description
        } catch {
            return LogValue.text(of: error)
        }
    }

    /// Wires a machine from its stored state and discards it.
    private func wire(_ definition: MachineDefinition, _ stored: StoredSession) throws {
        let context = SessionContext.inert()
        // As for machines that are only inspected.
        let registry = StateRegistry(restoring: stored.states, clockOffset: now) {
            MainContext.isSubstituted
        }
        context.stateRegistry = registry
        context.creation = try definition.restoreCreation(of: stored)
        let machine = try MainContext.with(MainQueueSubstitute(context.scheduler)) { try definition.wire(context) }
        machine.outputs.isClosed = true
        machine.end()
        context.scheduler.close()
        if !registry.damagedMembers.isEmpty { throw UnreadableSession.members(registry.damagedMembers) }
    }
}
