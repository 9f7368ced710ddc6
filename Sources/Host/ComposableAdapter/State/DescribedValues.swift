public import ComposableArchitecture
public import MachineHost

// The types of the Composable Architecture that are encoded but, for some parameters, not decoded.

extension IdentifiedArray: JSONDescribed {
    /// The elements as an array.
    public static var jsonShape: JSONShape { .array(of: Element.self) }
}

extension OrderedIDs: JSONDescribed {
    /// The ids as an array.
    public static var jsonShape: JSONShape { .array(of: ID.self) }
}

extension PresentationState: JSONDescribed {
    /// The presented state or `null`.
    public static var jsonShape: JSONShape { .value(of: State?.self) }
}

extension StackState: JSONDescribed {
    /// The elements from bottom to top, each with its id.
    public static var jsonShape: JSONShape { .array(of: Identified<StackElementID, Element>.self) }
}

extension Identified: JSONDescribed {
    /// The id and the value.
    public static var jsonShape: JSONShape { .object([.init("id", ID.self), .init("value", Value.self)]) }
}

extension Shared: JSONDescribed {
    /// The value.
    public static var jsonShape: JSONShape { .value(of: Value.self) }
}

extension SharedReader: JSONDescribed {
    /// The value.
    public static var jsonShape: JSONShape { .value(of: Value.self) }
}

/// The members of alerts and dialogs, which encode themselves with the same keys.
private func shape(buttons: any Any.Type) -> JSONShape {
    .object([.init("title", String.self), .init("message", String?.self), .init("buttons", buttons)])
}

extension AlertState: JSONDescribed {
    /// The title, the message or `null`, and the buttons.
    public static var jsonShape: JSONShape { shape(buttons: [Button].self) }
}

extension ConfirmationDialogState: JSONDescribed {
    /// The title, the message or `null`, and the buttons.
    public static var jsonShape: JSONShape { shape(buttons: [Button].self) }
}

extension ButtonState: JSONDescribed {
    /// The label, the role, and the name of the action or `null`.
    public static var jsonShape: JSONShape {
        .object([.init("label", String.self), .init("role", ButtonRole.self), .init("action", String?.self)])
    }
}

/// The roles of buttons, by the names that buttons encode.
private enum ButtonRole: String, CaseIterable {
    case cancel
    case `default`
    case destructive
}
