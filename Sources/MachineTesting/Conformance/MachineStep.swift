/// One thing that a client does, or some time in which it does nothing.
///
/// A literal is the name of an input and, behind a space, its value as JSON: `"increment"`, `"isOn true"`.
public struct MachineStep: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    enum Action: Equatable {
        case input(name: String, json: String?)
        case wait(Duration)
    }

    let action: Action

    /// An input and its value as JSON; `nil` for an input without one.
    public static func input(_ name: String, _ json: String? = nil) -> MachineStep {
        MachineStep(action: .input(name: name, json: json))
    }

    /// Time that passes: what the machine has scheduled until then runs.
    public static func wait(_ duration: Duration) -> MachineStep {
        MachineStep(action: .wait(duration))
    }

    private init(action: Action) {
        self.action = action
    }

    /// Reads the name of an input and the value behind it.
    public init(stringLiteral text: String) {
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        self = .input(parts.first ?? "", parts.count > 1 ? parts[1] : nil)
    }

    /// The step as it is written in a script.
    public var description: String {
        switch action {
        case .input(let name, let json): json.map { "\(name) \($0)" } ?? name
        case .wait(let duration): "wait \(duration)"
        }
    }
}
