public import Dispatch

extension DispatchQueue: CustomDebugOutputConvertible {
    /// The expression that returns the queue: the main queue, a global queue, or a queue with a label.
    public var debugOutput: String {
        let quality = qos == .unspecified ? nil : Self.name(of: qos)
        switch label {
        case "com.apple.main-thread": return "DispatchQueue.main"
        case let label where label.hasPrefix("com.apple.root."):
            return quality.map { $0 == "default" ? "DispatchQueue.global()" : "DispatchQueue.global(qos: .\($0))" }
                ?? "DispatchQueue.global()"
        default: return "DispatchQueue(label: \(label.debugDescription), qos: .\(quality ?? "unspecified"))"
        }
    }

    private static func name(of quality: DispatchQoS) -> String {
        switch quality.qosClass {
        case .background: "background"
        case .utility: "utility"
        case .userInitiated: "userInitiated"
        case .userInteractive: "userInteractive"
        case .default: "default"
        default: "unspecified"
        }
    }
}

extension Effect: CustomDebugOutputConvertible {
    /// The type, and the value of an effect that only sends one.
    public var debugOutput: String {
        let name = "Effect<\(Output.self), \(Failure.self)>"
        switch work {
        case .none: return "\(name).none"
        case .value(let value): return "\(name)(\n\("value: \(ComposableArchitecture.debugOutput(value))".indented)\n)"
        case .publisher, .presenting: return "\(name)()"
        }
    }
}
