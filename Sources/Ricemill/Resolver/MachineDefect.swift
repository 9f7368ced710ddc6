/// Why a machine cannot work, however it is used.
public enum MachineDefect: Error, Equatable, Sendable, CustomStringConvertible {
    /// The resolver of that name has no `polish` of its own.
    case unpolished(String)
    /// The resolver of that name gave no output, and its store is none either.
    case noOutput(String)

    /// What is missing, and in which type.
    public var description: String {
        switch self {
        case .unpolished(let resolver): "\(resolver) has no `static func polish(input:store:extra:)` of its own"
        case .noOutput(let resolver):
            "\(resolver) polished without an output, and its store is not its output: use Polished(output:cancellables:)"
        }
    }

    /// Whether a host is trying a machine out: a defect is then kept for the host to report. Anywhere else it stops the
    /// process where the machine is made.
    @TaskLocal package static var isOnTrial = false
}
