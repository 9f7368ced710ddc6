public import FoundationEssentials

/// An alert as data: its texts, and its buttons with their actions.
///
/// A reducer stores it in the state and removes it again. Tests compare it; a server sends it to its clients.
///
/// ```swift
/// AlertState {
///     TextState("Delete the list?")
/// } actions: {
///     ButtonState(role: .destructive, action: .confirmDeletion) { TextState("Delete") }
///     ButtonState(role: .cancel) { TextState("Keep") }
/// } message: {
///     TextState("It has 3 entries.")
/// }
/// ```
public struct AlertState<Action>: Identifiable {
    /// A button of the alert.
    public typealias Button = ButtonState<Action>

    /// Distinguishes alerts with equal contents in a view. Ignored by equality.
    public let id: UUID
    /// The title.
    public var title: TextState
    /// The message below the title.
    public var message: TextState?
    /// The buttons, in order. Clients show a button of their own if none exists.
    public var buttons: [ButtonState<Action>]

    init(id: UUID, title: TextState, message: TextState?, buttons: [ButtonState<Action>]) {
        self.id = id
        self.title = title
        self.message = message
        self.buttons = buttons
    }

    /// Creates an alert from its texts and a list of buttons.
    public init(
        title: () -> TextState, @ButtonStateBuilder<Action> actions: () -> [ButtonState<Action>],
        message: (() -> TextState)? = nil
    ) {
        self.init(id: SessionSeries.nextUUID(), title: title(), message: message?(), buttons: actions())
    }

    /// Creates an alert without buttons of its own.
    public init(title: () -> TextState, message: (() -> TextState)? = nil) {
        self.init(title: title, actions: {}, message: message)
    }

    /// Returns an alert whose buttons send transformed actions.
    public func map<NewAction>(_ transform: (Action?) -> NewAction?) -> AlertState<NewAction> {
        AlertState<NewAction>(id: id, title: title, message: message, buttons: buttons.map { $0.map(transform) })
    }
}

// Kept for source compatibility with earlier versions.
extension AlertState {
    /// Creates an alert with buttons.
    public init(title: TextState, message: TextState? = nil, buttons: [ButtonState<Action>]) {
        self.init(id: SessionSeries.nextUUID(), title: title, message: message, buttons: buttons)
    }

    /// Creates an alert with one button.
    public init(title: TextState, message: TextState? = nil, dismissButton: Button? = nil) {
        self.init(title: title, message: message, buttons: dismissButton.map { [$0] } ?? [])
    }

    /// Creates an alert with two buttons.
    public init(title: TextState, message: TextState? = nil, primaryButton: Button, secondaryButton: Button) {
        self.init(title: title, message: message, buttons: [primaryButton, secondaryButton])
    }

    /// Creates an alert with one button.
    public init(title: String, message: String? = nil, dismissButton: Button? = nil) {
        self.init(title: TextState(title), message: message.map { TextState($0) }, dismissButton: dismissButton)
    }

    /// Creates an alert with two buttons.
    public init(title: String, message: String? = nil, primaryButton: Button, secondaryButton: Button) {
        self.init(
            title: TextState(title), message: message.map { TextState($0) }, primaryButton: primaryButton,
            secondaryButton: secondaryButton)
    }

    /// The only button, or the preferred one.
    public var primaryButton: Button? { buttons.first }

    /// The second button.
    public var secondaryButton: Button? { buttons.dropFirst().first }
}

extension AlertState: Equatable where Action: Equatable {
    /// Returns whether both alerts have equal texts and buttons.
    public static func == (lhs: AlertState, rhs: AlertState) -> Bool {
        lhs.title == rhs.title && lhs.message == rhs.message && lhs.buttons == rhs.buttons
    }
}

extension AlertState: Hashable where Action: Hashable {
    /// Hashes the texts and buttons.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(title)
        hasher.combine(message)
        hasher.combine(buttons)
    }
}

extension AlertState: Sendable where Action: Sendable {}

extension AlertState: CustomDebugOutputConvertible {
    /// The texts and buttons.
    public var debugOutput: String { dialogOutput("AlertState", title: title, buttons: buttons, message: message) }
}

/// Returns the output of an alert or a dialog, without the members that are nil or empty.
func dialogOutput<Action>(
    _ type: String, title: TextState, buttons: [ButtonState<Action>], message: TextState?
) -> String {
    var parts = ["title: \(title.debugOutput)"]
    if !buttons.isEmpty { parts.append("actions: \(debugOutput(buttons))") }
    if let message { parts.append("message: \(message.debugOutput)") }
    return "\(type)(\n\(parts.map(\.indented).joined(separator: ",\n"))\n)"
}
