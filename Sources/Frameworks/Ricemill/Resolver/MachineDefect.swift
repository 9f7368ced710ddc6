/// The reason why a machine cannot work in any context.
public enum MachineDefect: Error, Equatable, Sendable, CustomStringConvertible {
    /// The resolver of the given name does not implement `polish`.
    case unpolished(String)
    /// The resolver of the given name returned no output, and its store is not an output.
    case noOutput(String)

    /// A message that states what is missing in which type.
    public var description: String {
        switch self {
        case .unpolished(let resolver): "\(resolver) has no `static func polish(input:store:extra:)`"
        case .noOutput(let resolver):
            "\(resolver) returned no output from `polish`, and its store is not its output: return Polished(output:cancellables:)"
        }
    }

    /// Whether a host is validating a machine. In that case a defect is stored for the host to report. Otherwise it
    /// stops the process when the machine is created.
    @TaskLocal package static var isOnTrial = false
}
