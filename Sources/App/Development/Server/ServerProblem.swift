import Foundation

/// The reason why a server could not start, as far as its output shows.
public struct ServerProblem: Equatable, Sendable {
    /// The relevant lines of the server's output.
    public let text: String
    /// The machine whose stored sessions the build cannot continue; nil if that is not the reason.
    public let machine: String?

    /// Creates a problem from the last lines that a server printed to standard error.
    public init(output: String) {
        let lines = output.split(separator: "\n").map(String.init)
        // The beginning of `StateShapeError`, after the name of the program.
        let shape = lines.last { $0.contains(ServerProblem.shapeChanged) }
        machine = shape.flatMap(ServerProblem.machine)
        let last = lines.isEmpty ? "the server ended without a message" : lines.suffix(20).joined(separator: "\n")
        text = shape ?? last
    }

    private static let shapeChanged = "the shape of its state changed, the version did not"

    private static func machine(in line: String) -> String? {
        guard let start = line.range(of: "machine \"")?.upperBound,
            let end = line.range(of: "\": \(shapeChanged)")?.lowerBound, start <= end
        else { return nil }
        return String(line[start..<end])
    }
}
