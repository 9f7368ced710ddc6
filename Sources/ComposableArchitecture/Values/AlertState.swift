public import FoundationEssentials

/// An alert as data: its texts, and its buttons with their actions.
///
/// A reducer stores it in the state and removes it again. Tests compare it; a server sends it to its clients.
public struct AlertState<Action> {
    /// Distinguishes alerts with equal contents in a view. Ignored by equality.
    public let id = SessionSeries.nextUUID()
    /// The title.
    public var title: String
    /// The message below the title.
    public var message: String?
    /// The only button, or the preferred one.
    public var primaryButton: Button?
    /// The second button.
    public var secondaryButton: Button?

    /// Creates an alert with one button.
    public init(title: String, message: String? = nil, dismissButton: Button? = nil) {
        self.title = title
        self.message = message
        primaryButton = dismissButton
    }

    /// Creates an alert with two buttons.
    public init(title: String, message: String? = nil, primaryButton: Button, secondaryButton: Button) {
        self.title = title
        self.message = message
        self.primaryButton = primaryButton
        self.secondaryButton = secondaryButton
    }

    /// A button of an alert or of an action sheet.
    public struct Button {
        /// The action that the button sends.
        public var action: Action?
        /// The role and the label of the button.
        public var type: `Type`

        /// The role of a button.
        public enum `Type`: Hashable, Sendable {
            /// Dismisses the alert. Without a label it has the platform's default label.
            case cancel(label: String?)
            /// Performs the action of the alert.
            case `default`(label: String)
            /// Performs an action that cannot be undone.
            case destructive(label: String)
        }

        init(action: Action?, type: `Type`) {
            self.action = action
            self.type = type
        }

        /// Returns a button that dismisses the alert.
        public static func cancel(_ label: String, send action: Action? = nil) -> Button {
            Button(action: action, type: .cancel(label: label))
        }

        /// Returns a button that dismisses the alert, with the platform's default label.
        public static func cancel(send action: Action? = nil) -> Button {
            Button(action: action, type: .cancel(label: nil))
        }

        /// Returns a button that performs the action of the alert.
        public static func `default`(_ label: String, send action: Action? = nil) -> Button {
            Button(action: action, type: .default(label: label))
        }

        /// Returns a button that performs an action that cannot be undone.
        public static func destructive(_ label: String, send action: Action? = nil) -> Button {
            Button(action: action, type: .destructive(label: label))
        }
    }
}

extension AlertState: Identifiable {}

extension AlertState: Equatable where Action: Equatable {
    /// Returns whether both alerts have equal texts and buttons.
    public static func == (lhs: AlertState, rhs: AlertState) -> Bool {
        lhs.title == rhs.title && lhs.message == rhs.message && lhs.primaryButton == rhs.primaryButton
            && lhs.secondaryButton == rhs.secondaryButton
    }
}

extension AlertState: Hashable where Action: Hashable {
    /// Hashes the texts and buttons.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(title)
        hasher.combine(message)
        hasher.combine(primaryButton)
        hasher.combine(secondaryButton)
    }
}

extension AlertState.Button: Equatable where Action: Equatable {}
extension AlertState.Button: Hashable where Action: Hashable {}
extension AlertState.Button: Sendable where Action: Sendable {}
extension AlertState: Sendable where Action: Sendable {}

extension AlertState: CustomDebugOutputConvertible {
    /// The texts and buttons.
    public var debugOutput: String {
        ComposableArchitecture.debugOutput(
            (title: title, message: message, primaryButton: primaryButton, secondaryButton: secondaryButton))
    }
}
