import HTTPModel
import Log
public import StateCapture

extension StoredSession {
    /// A session as it was before a migration, for a build that is older than the migration.
    struct PreMigrationState: Equatable {
        /// The version of the state.
        let stateVersion: Int
        /// The stored time at which it is forgotten, in milliseconds.
        let until: Int64
        /// The session, as ``StoredSession/append(to:)`` writes it.
        let content: ArraySlice<UInt8>
    }

    /// The change that was made so that a build can continue a session.
    enum Compatibility: Equatable {
        case unchanged
        /// The state was migrated to the version of the build.
        case migrated
        /// The session was put back to its state before a migration.
        case reverted
    }

    /// Makes the session compatible with a machine: migrates an older state, and puts back what a newer one was migrated from.
    ///
    /// - Parameters:
    ///   - definition: The machine.
    ///   - build: The build that runs.
    ///   - now: The stored time, in milliseconds.
    ///   - window: The time for which the state before a migration is kept, in milliseconds.
    /// - Throws: The reason for which this build cannot continue the session. The session is then unchanged.
    mutating func makeCompatible(
        with definition: MachineDefinition, build: String, now: Int64, window: Int64
    ) throws(UnreadableSession) -> Compatibility {
        if stateVersion == definition.stateVersion { return .unchanged }
        var session = self
        let isReverted = session.stateVersion > definition.stateVersion
        if isReverted { session = try reverted(to: definition.stateVersion, now: now) }
        if session.stateVersion < definition.stateVersion {
            let content = session.content[...]
            let preMigrationState = PreMigrationState(
                stateVersion: session.stateVersion, until: now + window, content: content)
            try session.migrate(definition)
            session.preMigrationState = preMigrationState
        }
        assert(
            session.stateVersion == definition.stateVersion,
            "expected a state of version \(definition.stateVersion), got \(session.stateVersion)")
        session.build = build
        session.shape = definition.stateShape?.digest ?? session.shape
        self = session
        return isReverted ? .reverted : .migrated
    }

    /// Returns the session before the migrations that a build does not know.
    private func reverted(to version: Int, now: Int64) throws(UnreadableSession) -> StoredSession {
        assert(stateVersion > version, "expected a state newer than version \(version), got \(stateVersion)")
        var session = self
        while session.stateVersion > version {
            guard let preMigrationState = session.preMigrationState, preMigrationState.until > now,
                let before = try? StoredSession(preMigrationState.content)
            else {
                throw .newer(version: stateVersion, known: version, build: build)
            }
            session = before
        }
        // Clients have seen versions that no longer exist. Later ones must not be taken for them, hence the epoch for streams
        // and the number for conditions. Requests that were answered are not run again.
        session.beginEpoch()
        session.version = self.version + 1
        session.changes = []
        session.keyed = keyed
        // Tickets that were revoked since stay revoked.
        session.ownership = ownership
        session.lastInput = lastInput
        return session
    }

    private mutating func migrate(_ definition: MachineDefinition) throws(UnreadableSession) {
        assert(
            stateVersion < definition.stateVersion,
            "expected a state older than version \(definition.stateVersion), got \(stateVersion)")
        var state = StoredState(states)
        for version in stateVersion..<definition.stateVersion {
            guard let steps = definition.migrations[version] else { throw .noMigration(from: version) }
            for migrate in steps {
                do {
                    try migrate(&state)
                } catch {
                    throw .migrationFailed(from: version, error: LogValue.text(of: error))
                }
            }
        }
        states = state.json
        stateVersion = definition.stateVersion
    }

    /// The session as bytes.
    var content: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    /// Forgets the state before a migration when its time has passed.
    mutating func forgetPreMigrationState(now: Int64) {
        if let preMigrationState, preMigrationState.until <= now { self.preMigrationState = nil }
    }
}

extension StoredSession {
    /// Makes the session compatible with a machine, with the times of a host.
    mutating func makeCompatible(
        with definition: MachineDefinition, in configuration: HostConfiguration, now: Int64
    ) throws(UnreadableSession) -> Compatibility {
        try makeCompatible(
            with: definition, build: configuration.build, now: now,
            window: configuration.revertWindow.wholeMilliseconds)
    }
}

extension MachineDefinition {
    /// Returns the definition with a version of its captured state, and the migrations from older ones.
    ///
    /// Raise the version when a member is removed, renamed or changes its type; the server refuses to start otherwise. A
    /// member that is added needs no new version: restored machines have its initial value. Machines and stores that are
    /// `Resumable` state their version themselves; this is for all others, such as stores of the Composable Architecture.
    ///
    /// - Parameters:
    ///   - version: The version, at least 1.
    ///   - migrations: For each older version, the migration that turns its state into one of the next version.
    public func versioned(_ version: Int, migrations: [Int: StateMigration] = [:]) -> MachineDefinition {
        var definition = self
        definition.stateVersion = max(1, version)
        definition.migrations = migrations.mapValues { [$0] }
        return definition
    }

    /// Returns whether this build could continue a stored session, without running anything.
    func canContinue(_ stored: StoredSession, now: Int64) -> Bool {
        var copy = stored
        return (try? copy.makeCompatible(with: self, build: "", now: now, window: 0)) != nil
    }
}
