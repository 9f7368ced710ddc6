/// A button as a client sees it: what stands on it, what it is for, and the name of the action that it sends.
private enum ButtonKeys: CodingKey {
    case label, role, action
}

extension AlertState.Button: Encodable {
    /// Writes the label, the role (`default`, `cancel`, `destructive`), and the dotted name of the action: the input that
    /// a client sends when the button is pressed.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ButtonKeys.self)
        let (label, role): (String?, String) =
            switch type {
            case .cancel(let label): (label, "cancel")
            case .default(let label): (label, "default")
            case .destructive(let label): (label, "destructive")
            }
        try container.encode(label, forKey: .label)
        try container.encode(role, forKey: .role)
        try container.encode(action.map { ActionName.path(of: $0) }, forKey: .action)
    }
}

private enum AlertKeys: CodingKey {
    case title, message, buttons
}

extension AlertState: Encodable {
    /// Writes title, message and buttons.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AlertKeys.self)
        try container.encode(title, forKey: .title)
        try container.encode(message, forKey: .message)
        try container.encode([primaryButton, secondaryButton].compactMap { $0 }, forKey: .buttons)
    }
}

extension ActionSheetState: Encodable {
    /// Writes title, message and buttons.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AlertKeys.self)
        try container.encode(title, forKey: .title)
        try container.encode(message, forKey: .message)
        try container.encode(buttons, forKey: .buttons)
    }
}

/// The names of actions.
enum ActionName {
    /// The cases of an action and of the actions in it, with dots between them: `login.emailChanged`.
    static func path<Action>(of action: Action) -> String {
        var names: [String] = []
        var next: Any? = action
        while let value = next {
            let mirror = Mirror(reflecting: value)
            guard mirror.displayStyle == .enum else { break }
            guard let child = mirror.children.first else {
                names.append("\(value)")
                break
            }
            names.append(child.label ?? "")
            let payload = Mirror(reflecting: child.value)
            next = payload.displayStyle == .tuple ? payload.children.map(\.value).last : child.value
        }
        return names.joined(separator: ".")
    }
}
