/// The encoded properties of a button.
private enum ButtonKeys: CodingKey {
    case label, role, action
}

extension AlertState.Button: Encodable {
    /// Encodes the label, the role (`default`, `cancel` or `destructive`), and the dotted name of the action, which is
    /// the input that a client sends when the button is pressed.
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
    /// Encodes title, message and buttons.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AlertKeys.self)
        try container.encode(title, forKey: .title)
        try container.encode(message, forKey: .message)
        try container.encode([primaryButton, secondaryButton].compactMap { $0 }, forKey: .buttons)
    }
}

extension ActionSheetState: Encodable {
    /// Encodes title, message and buttons.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AlertKeys.self)
        try container.encode(title, forKey: .title)
        try container.encode(message, forKey: .message)
        try container.encode(buttons, forKey: .buttons)
    }
}

/// A namespace for the names of actions.
enum ActionName {
    /// Returns the cases of an action and of its nested actions, joined by dots: `login.emailChanged`.
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
