public import FoundationEssentials

/// A choice of actions as data: what it says, and the buttons with what they send.
public struct ActionSheetState<Action> {
    /// A button.
    public typealias Button = AlertState<Action>.Button

    /// What tells two sheets apart that say the same, for views; equality leaves it out.
    public let id = UUID()
    /// What it says first.
    public var title: String
    /// What it says then.
    public var message: String?
    /// The buttons, first to last.
    public var buttons: [Button]

    /// Makes a sheet.
    public init(title: String, message: String? = nil, buttons: [Button]) {
        self.title = title
        self.message = message
        self.buttons = buttons
    }
}

extension ActionSheetState: Identifiable {}

extension ActionSheetState: Equatable where Action: Equatable {
    /// Whether both say and offer the same.
    public static func == (lhs: ActionSheetState, rhs: ActionSheetState) -> Bool {
        lhs.title == rhs.title && lhs.message == rhs.message && lhs.buttons == rhs.buttons
    }
}

extension ActionSheetState: Hashable where Action: Hashable {
    /// Hashes what the sheet says and offers.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(title)
        hasher.combine(message)
        hasher.combine(buttons)
    }
}

extension ActionSheetState: Sendable where Action: Sendable {}

extension ActionSheetState: CustomDebugOutputConvertible {
    /// What the sheet says and offers.
    public var debugOutput: String {
        ComposableArchitecture.debugOutput((title: title, message: message, buttons: buttons))
    }
}
