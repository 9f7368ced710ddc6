private enum ButtonKeys: CodingKey {
    case label, role, action
}

extension ButtonState: Encodable {
    /// Encodes the label, the role (`default`, `cancel` or `destructive`), and the dotted name of the action, which is
    /// the input that a client sends when the button is pressed.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ButtonKeys.self)
        let role =
            switch role {
            case .cancel: "cancel"
            case .destructive: "destructive"
            case nil: "default"
            }
        try container.encode(label, forKey: .label)
        try container.encode(role, forKey: .role)
        try container.encode(action.action.map { ActionName.path(of: $0) }, forKey: .action)
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
        try container.encode(buttons, forKey: .buttons)
    }
}

extension ConfirmationDialogState: Encodable {
    /// Encodes title, message and buttons.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AlertKeys.self)
        try container.encode(title, forKey: .title)
        try container.encode(message, forKey: .message)
        try container.encode(buttons, forKey: .buttons)
    }
}
