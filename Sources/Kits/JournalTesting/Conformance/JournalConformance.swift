import MachineHost

/// The checks that every driver of a journal must pass.
///
/// They depend on no test library. With Swift Testing:
///
/// ```swift
/// @Test(arguments: JournalConformance.checks)
/// func `the driver conforms`(check: JournalConformance.Check) {
///     #expect(check.findings(with: MyStorage()) == [])
/// }
/// ```
public enum JournalConformance {
    /// One check.
    public struct Check: Sendable, CustomStringConvertible {
        /// The behaviour, as a sentence.
        public let name: String
        /// The abilities that the check needs.
        public let needs: JournalAbilities
        private let body: @Sendable (JournalCheckRun) throws -> Void

        init(
            _ name: String, needs: JournalAbilities = [], _ body: @escaping @Sendable (JournalCheckRun) throws -> Void
        ) {
            self.name = name
            self.needs = needs
            self.body = body
        }

        /// The name.
        public var description: String { name }

        /// Runs the check.
        ///
        /// - Parameters:
        ///   - storage: An empty storage, which is not used again.
        ///   - seed: The seed of random choices, which findings name.
        /// - Returns: The unmet expectations; empty if the driver passes or the storage lacks an ability that the check needs.
        public func findings(with storage: any JournalStorage, seed: UInt64 = 1) -> [String] {
            guard storage.abilities.isSuperset(of: needs) else { return [] }
            do {
                let run = JournalCheckRun(try storage.open(), storage, seed)
                do {
                    try body(run)
                } catch {
                    run.fail("expected no error, got \(error)")
                }
                // Some checks have closed it already.
                try? run.journal.close()
                return run.findings
            } catch {
                return ["\(name) (seed \(seed)): expected the storage to open, got \(error)"]
            }
        }
    }

    /// All checks.
    public static let checks: [Check] = contents + changes + lists + names + times + restarts + limits
}
