public import FoundationEssentials

/// An alert as data: what it says, and which actions its buttons send.
///
/// A reducer puts it into the state and takes it out again; a test compares it, a server sends it to its clients.
public struct AlertState<Action> {
    /// What tells two alerts apart that say the same, for views; equality leaves it out.
    public let id = UUID()
    /// What it says first.
    public var title: String
    /// What it says then.
    public var message: String?
    /// The only button, or the one that is meant to be pressed.
    public var primaryButton: Button?
    /// The other button.
    public var secondaryButton: Button?

    /// Makes an alert with one button.
    public init(title: String, message: String? = nil, dismissButton: Button? = nil) {
        self.title = title
        self.message = message
        primaryButton = dismissButton
    }

    /// Makes an alert with two buttons.
    public init(title: String, message: String? = nil, primaryButton: Button, secondaryButton: Button) {
        self.title = title
        self.message = message
        self.primaryButton = primaryButton
        self.secondaryButton = secondaryButton
    }

    /// A button of an alert or of an action sheet.
    public struct Button {
        /// What it sends when it is pressed.
        public var action: Action?
        /// What it is for, and what stands on it.
        public var type: `Type`

        /// What a button is for.
        public enum `Type`: Hashable, Sendable {
            /// It changes nothing; without a label it has the usual one.
            case cancel(label: String?)
            /// It does what the alert is about.
            case `default`(label: String)
            /// It does something that cannot be undone.
            case destructive(label: String)
        }

        init(action: Action?, type: `Type`) {
            self.action = action
            self.type = type
        }

        /// A button that changes nothing.
        public static func cancel(_ label: String, send action: Action? = nil) -> Button {
            Button(action: action, type: .cancel(label: label))
        }

        /// A button that changes nothing, with the usual label.
        public static func cancel(send action: Action? = nil) -> Button {
            Button(action: action, type: .cancel(label: nil))
        }

        /// A button that does what the alert is about.
        public static func `default`(_ label: String, send action: Action? = nil) -> Button {
            Button(action: action, type: .default(label: label))
        }

        /// A button that does something that cannot be undone.
        public static func destructive(_ label: String, send action: Action? = nil) -> Button {
            Button(action: action, type: .destructive(label: label))
        }
    }
}

extension AlertState: Identifiable {}

extension AlertState: Equatable where Action: Equatable {
    /// Whether both say and offer the same.
    public static func == (lhs: AlertState, rhs: AlertState) -> Bool {
        lhs.title == rhs.title && lhs.message == rhs.message && lhs.primaryButton == rhs.primaryButton
            && lhs.secondaryButton == rhs.secondaryButton
    }
}

extension AlertState: Hashable where Action: Hashable {
    /// Hashes what the alert says and offers.
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
    /// What the alert says and offers.
    public var debugOutput: String {
        ComposableArchitecture.debugOutput(
            (title: title, message: message, primaryButton: primaryButton, secondaryButton: secondaryButton))
    }
}
