/// An action of a client, or a wait.
///
/// A literal is the name of an input, followed by a space and its value as JSON: `"increment"`, `"isOn true"`.
public struct MachineStep: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    enum Action: Equatable {
        case input(name: String, json: String?)
        case wait(Duration)
    }

    let action: Action

    /// Creates a step that sends an input. The value is JSON; nil for an input without a value.
    public static func input(_ name: String, _ json: String? = nil) -> MachineStep {
        MachineStep(action: .input(name: name, json: json))
    }

    /// Creates a step that lets time pass. Work that the machine has scheduled within this time runs.
    public static func wait(_ duration: Duration) -> MachineStep {
        MachineStep(action: .wait(duration))
    }

    private init(action: Action) {
        self.action = action
    }

    /// Parses the name of an input and its value.
    public init(stringLiteral text: String) {
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        self = .input(parts.first ?? "", parts.count > 1 ? parts[1] : nil)
    }

    /// The step as written in a script.
    public var description: String {
        switch action {
        case .input(let name, let json): json.map { "\(name) \($0)" } ?? name
        case .wait(let duration): "wait \(duration)"
        }
    }
}
