public import FoundationEssentials

/// An action sheet as data: its texts, and its buttons with their actions.
public struct ActionSheetState<Action> {
    /// A button of the sheet.
    public typealias Button = AlertState<Action>.Button

    /// Distinguishes sheets with equal contents in a view. Ignored by equality.
    public let id = SessionSeries.nextUUID()
    /// The title.
    public var title: String
    /// The message below the title.
    public var message: String?
    /// The buttons, in order.
    public var buttons: [Button]

    /// Creates an action sheet.
    public init(title: String, message: String? = nil, buttons: [Button]) {
        self.title = title
        self.message = message
        self.buttons = buttons
    }
}

extension ActionSheetState: Identifiable {}

extension ActionSheetState: Equatable where Action: Equatable {
    /// Returns whether both sheets have equal texts and buttons.
    public static func == (lhs: ActionSheetState, rhs: ActionSheetState) -> Bool {
        lhs.title == rhs.title && lhs.message == rhs.message && lhs.buttons == rhs.buttons
    }
}

extension ActionSheetState: Hashable where Action: Hashable {
    /// Hashes the texts and buttons.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(title)
        hasher.combine(message)
        hasher.combine(buttons)
    }
}

extension ActionSheetState: Sendable where Action: Sendable {}

extension ActionSheetState: CustomDebugOutputConvertible {
    /// The texts and buttons.
    public var debugOutput: String {
        ComposableArchitecture.debugOutput((title: title, message: message, buttons: buttons))
    }
}
