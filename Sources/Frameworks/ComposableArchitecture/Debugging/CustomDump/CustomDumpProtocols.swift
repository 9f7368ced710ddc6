/// A value that is dumped as a text of its own.
public protocol CustomDumpStringConvertible {
    /// The text.
    var customDumpDescription: String { get }
}

/// A value that is dumped like another one.
public protocol CustomDumpRepresentable {
    /// The other value.
    var customDumpValue: Any { get }
}

/// A value that is dumped with the children of a mirror of its own.
public protocol CustomDumpReflectable {
    /// The mirror.
    var customDumpMirror: Mirror { get }
}

extension TextState: CustomDumpRepresentable {
    /// The characters.
    public var customDumpValue: Any { String(state: self) }
}

extension ButtonState: CustomDumpReflectable {
    /// The role, the action and the label, without those that are nil.
    public var customDumpMirror: Mirror {
        var children: [(String?, Any)] = []
        if let role { children.append(("role", role)) }
        if let action = action.action { children.append(("action", action)) }
        children.append(("label", label))
        return Mirror(self, children: children, displayStyle: .struct)
    }
}

extension AlertState: CustomDumpReflectable {
    /// The texts and buttons.
    public var customDumpMirror: Mirror { dialogMirror(self, title, buttons, message) }
}

extension ConfirmationDialogState: CustomDumpReflectable {
    /// The texts and buttons.
    public var customDumpMirror: Mirror { dialogMirror(self, title, buttons, message) }
}

private func dialogMirror<Dialog, Action>(
    _ dialog: Dialog, _ title: TextState, _ buttons: [ButtonState<Action>], _ message: TextState?
) -> Mirror {
    var children: [(String?, Any)] = [("title", title)]
    if !buttons.isEmpty { children.append(("actions", buttons)) }
    if let message { children.append(("message", message)) }
    return Mirror(dialog, children: children, displayStyle: .struct)
}

extension PresentationState: CustomDumpRepresentable {
    /// The state of what is presented.
    public var customDumpValue: Any { wrappedValue as Any }
}

extension BindableState: CustomDumpRepresentable {
    /// The value.
    public var customDumpValue: Any { wrappedValue }
}

extension IdentifiedArray: CustomDumpRepresentable {
    /// The elements.
    public var customDumpValue: Any { Array(self) }
}

extension StackState: CustomDumpReflectable {
    /// The elements, labelled by id.
    public var customDumpMirror: Mirror {
        Mirror(
            self, children: zip(ids, self).map { (label: Optional("\($0)"), value: $1 as Any) },
            displayStyle: .dictionary)
    }
}
