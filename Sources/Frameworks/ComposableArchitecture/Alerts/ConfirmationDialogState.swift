public import FoundationEssentials

/// A list of actions to choose from, as data: its texts, and its buttons with their actions.
public struct ConfirmationDialogState<Action>: Identifiable {
    /// A button of the dialog.
    public typealias Button = ButtonState<Action>

    /// Distinguishes dialogs with equal contents in a view. Ignored by equality.
    public let id: UUID
    /// The title.
    public var title: TextState
    /// Whether the title is shown.
    public var titleVisibility: ConfirmationDialogStateTitleVisibility
    /// The message below the title.
    public var message: TextState?
    /// The buttons, in order.
    public var buttons: [ButtonState<Action>]

    init(
        id: UUID, title: TextState, titleVisibility: ConfirmationDialogStateTitleVisibility, message: TextState?,
        buttons: [ButtonState<Action>]
    ) {
        self.id = id
        self.title = title
        self.titleVisibility = titleVisibility
        self.message = message
        self.buttons = buttons
    }

    /// Creates a dialog from its texts and a list of buttons.
    public init(
        titleVisibility: ConfirmationDialogStateTitleVisibility = .automatic, title: () -> TextState,
        @ButtonStateBuilder<Action> actions: () -> [ButtonState<Action>], message: (() -> TextState)? = nil
    ) {
        self.init(
            id: SessionSeries.nextUUID(), title: title(), titleVisibility: titleVisibility, message: message?(),
            buttons: actions())
    }

    /// Creates a dialog with buttons.
    public init(
        title: TextState, titleVisibility: ConfirmationDialogStateTitleVisibility = .automatic,
        message: TextState? = nil, buttons: [ButtonState<Action>]
    ) {
        self.init(
            id: SessionSeries.nextUUID(), title: title, titleVisibility: titleVisibility, message: message,
            buttons: buttons)
    }

    /// Creates a dialog with buttons.
    public init(title: String, message: String? = nil, buttons: [ButtonState<Action>]) {
        self.init(title: TextState(title), message: message.map { TextState($0) }, buttons: buttons)
    }

    /// Returns a dialog whose buttons send transformed actions.
    public func map<NewAction>(_ transform: (Action?) -> NewAction?) -> ConfirmationDialogState<NewAction> {
        ConfirmationDialogState<NewAction>(
            id: id, title: title, titleVisibility: titleVisibility, message: message,
            buttons: buttons.map { $0.map(transform) })
    }
}

/// Whether the title of a dialog is shown.
public enum ConfirmationDialogStateTitleVisibility: String, Codable, Hashable, Sendable {
    /// The client decides.
    case automatic
    /// The title is hidden.
    case hidden
    /// The title is shown.
    case visible
}

/// The earlier name of ``ConfirmationDialogState``.
public typealias ActionSheetState = ConfirmationDialogState

extension ConfirmationDialogState: Equatable where Action: Equatable {
    /// Returns whether both dialogs have equal texts and buttons.
    public static func == (lhs: ConfirmationDialogState, rhs: ConfirmationDialogState) -> Bool {
        lhs.title == rhs.title && lhs.titleVisibility == rhs.titleVisibility && lhs.message == rhs.message
            && lhs.buttons == rhs.buttons
    }
}

extension ConfirmationDialogState: Hashable where Action: Hashable {
    /// Hashes the texts and buttons.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(title)
        hasher.combine(titleVisibility)
        hasher.combine(message)
        hasher.combine(buttons)
    }
}

extension ConfirmationDialogState: Sendable where Action: Sendable {}

extension ConfirmationDialogState: CustomDebugOutputConvertible {
    /// The texts and buttons.
    public var debugOutput: String {
        dialogOutput("ConfirmationDialogState", title: title, buttons: buttons, message: message)
    }
}
