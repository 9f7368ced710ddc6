import CombineCore
import Log
import StateCapture

/// A check whether this build can restore stored sessions. Machines are wired and discarded: nothing runs, and nothing is stored.
///
/// The code of a machine may end the process if its state is not one that it has made itself. So sessions of unknown origin are checked
/// by commands, and never by a server.
package struct RestorationCheck {
    let catalogue: MachineCatalogue
    /// The stored time, in nanoseconds.
    private let now: Int64
    private let seal: SessionSeal

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - machines: The machines of this build.
    ///   - now: The time of day.
    ///   - wallLead: By how much it is ahead of the stored times, in milliseconds.
    /// - Throws: The error of a machine that cannot be hosted.
    package init(
        of machines: [MachineDefinition], keys: SecretKeys? = nil, now: WallTime = .now(), wallLead: Int64 = 0
    ) throws(MachineRegistrationError) {
        catalogue = try MachineCatalogue(machines, stored: .replicated, keys: keys)
        seal = SessionSeal(keys, machines: machines)
        self.now = now.sinceBeginning &- wallLead &* 1_000_000
    }

    /// Throws if this build cannot restore the session in an exported text.
    package func check(importOf text: String) throws {
        let session = try ExportedSession(text).examined(opening: seal).session.session
        guard let problem = problem(of: session.machine, { session }) else { return }
        throw ArchiveError.notRestorable(machine: session.machine, reason: problem)
    }

    /// Returns why this build cannot restore a session of a machine, without values; nil if it can.
    func problem(of machine: String, _ load: () throws -> StoredSession?) -> String? {
        guard let machine = catalogue[machine] else { return "no machine has this name" }
        guard machine.durability > .memory else {
            return "the machine cannot be captured: \(machine.definition.obstacleText ?? "")"
        }
        do {
            guard var stored = try load() else { return "expected a stored session, got none" }
            _ = try stored.makeCompatible(with: machine.definition, build: "", now: now / 1_000_000, window: 0)
            try wire(machine.definition, stored)
            return nil
        } catch let error as JournalError {
            return error.description
        } catch {
            return LogValue.text(of: error)
        }
    }

    /// Returns why this build cannot restore a stored session; nil if it can.
    func problem(of summary: SessionSummary, in journal: any Journal) -> String? {
        problem(of: summary.machine) {
            try journal.load(summary.id).map { try StoredSession($0, opening: seal) }
        }
    }

    /// Wires a machine from its stored state and discards it.
    private func wire(_ definition: MachineDefinition, _ stored: StoredSession) throws {
        let context = SessionContext.inert()
        // As for machines that are only inspected.
        let registry = StateRegistry(restoring: stored.states, clockOffset: now) { MainContext.isSubstituted }
        context.stateRegistry = registry
        context.creation = try definition.restoreCreation(of: stored)
        let machine = try MainContext.with(MainQueueSubstitute(context.scheduler)) { try definition.wire(context) }
        machine.outputs.isClosed = true
        machine.end()
        context.scheduler.close()
        if !registry.damagedMembers.isEmpty { throw UnreadableSession.members(registry.damagedMembers) }
    }
}
