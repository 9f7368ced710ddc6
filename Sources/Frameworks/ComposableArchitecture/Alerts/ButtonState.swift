/// A button of an alert or a dialog, as data.
public struct ButtonState<Action> {
    /// The action that is performed when the button is pressed.
    public let action: ButtonStateAction<Action>
    /// The label.
    public let label: TextState
    /// The purpose of the button; nil if it has none of the known ones.
    public let role: ButtonStateRole?

    /// Creates a button.
    ///
    /// - Parameters:
    ///   - role: The purpose of the button.
    ///   - action: The action that is performed when the button is pressed. By default, the alert is dismissed without another action.
    ///   - label: Returns the label.
    public init(
        role: ButtonStateRole? = nil, action: ButtonStateAction<Action> = .send(nil), label: () -> TextState
    ) {
        self.role = role
        self.action = action
        self.label = label()
    }

    /// Creates a button that sends an action.
    public init(role: ButtonStateRole? = nil, action: Action, label: () -> TextState) {
        self.init(role: role, action: .send(action), label: label)
    }

    /// Calls a closure with the action that the button sends; nil if it sends none.
    public func withAction(_ perform: (Action?) -> Void) {
        perform(action.action)
    }

    /// Calls an asynchronous closure with the action that the button sends; nil if it sends none.
    nonisolated(nonsending) public func withAction(
        _ perform: nonisolated(nonsending) (Action?) async -> Void
    ) async {
        await perform(action.action)
    }

    /// Returns a button that sends a transformed action.
    public func map<NewAction>(_ transform: (Action?) -> NewAction?) -> ButtonState<NewAction> {
        ButtonState<NewAction>(role: role, action: action.map(transform)) { label }
    }
}

/// The purpose of a button.
public enum ButtonStateRole: Hashable, Sendable {
    /// The button dismisses without doing anything.
    case cancel
    /// The button does something that cannot be undone.
    case destructive
}

/// An action that is performed when a button is pressed.
public struct ButtonStateAction<Action> {
    /// The action that is sent; nil if none is.
    public let action: Action?

    /// Sends an action, or dismisses without another action.
    public static func send(_ action: Action?) -> ButtonStateAction {
        ButtonStateAction(action: action)
    }

    /// Sends an action. The animation has no effect: the client decides how it shows changes.
    public static func send(_ action: Action?, animation: Animation?) -> ButtonStateAction {
        ButtonStateAction(action: action)
    }

    /// Returns what happens with a transformed action.
    public func map<NewAction>(_ transform: (Action?) -> NewAction?) -> ButtonStateAction<NewAction> {
        .send(transform(action))
    }
}

// Kept for source compatibility with earlier versions.
extension ButtonState {
    /// Returns a button that dismisses the alert.
    public static func cancel(_ label: TextState, action: ButtonStateAction<Action> = .send(nil)) -> ButtonState {
        ButtonState(role: .cancel, action: action) { label }
    }

    /// Returns a button that performs the action of the alert.
    public static func `default`(_ label: TextState, action: ButtonStateAction<Action> = .send(nil)) -> ButtonState {
        ButtonState(action: action) { label }
    }

    /// Returns a button that performs an action that cannot be undone.
    public static func destructive(
        _ label: TextState, action: ButtonStateAction<Action> = .send(nil)
    ) -> ButtonState {
        ButtonState(role: .destructive, action: action) { label }
    }

    /// Returns a button that dismisses the alert.
    public static func cancel(_ label: String, send action: Action? = nil) -> ButtonState {
        ButtonState(role: .cancel, action: .send(action)) { TextState(label) }
    }

    /// Returns a button with the label "Cancel" that dismisses the alert.
    public static func cancel(send action: Action? = nil) -> ButtonState {
        .cancel("Cancel", send: action)
    }

    /// Returns a button that performs the action of the alert.
    public static func `default`(_ label: String, send action: Action? = nil) -> ButtonState {
        ButtonState(action: .send(action)) { TextState(label) }
    }

    /// Returns a button that performs an action that cannot be undone.
    public static func destructive(_ label: String, send action: Action? = nil) -> ButtonState {
        ButtonState(role: .destructive, action: .send(action)) { TextState(label) }
    }
}

extension ButtonState: Equatable where Action: Equatable {}
extension ButtonState: Hashable where Action: Hashable {}
extension ButtonState: Sendable where Action: Sendable {}
extension ButtonStateAction: Equatable where Action: Equatable {}
extension ButtonStateAction: Hashable where Action: Hashable {}
extension ButtonStateAction: Sendable where Action: Sendable {}

extension ButtonState: CustomDebugOutputConvertible {
    /// The role, the action and the label, without those that are nil.
    public var debugOutput: String {
        var parts: [String] = []
        if let role { parts.append("role: \(ComposableArchitecture.debugOutput(role))") }
        if let action = action.action { parts.append("action: \(ComposableArchitecture.debugOutput(action))") }
        parts.append("label: \(ComposableArchitecture.debugOutput(label))")
        return "ButtonState(\n\(parts.map(\.indented).joined(separator: ",\n"))\n)"
    }
}

/// Lists buttons.
@resultBuilder
public enum ButtonStateBuilder<Action> {
    /// Returns a listed button.
    public static func buildExpression(_ button: ButtonState<Action>) -> [ButtonState<Action>] { [button] }
    /// Joins the buttons of a block.
    public static func buildBlock(_ buttons: [ButtonState<Action>]...) -> [ButtonState<Action>] {
        buttons.flatMap { $0 }
    }
    /// Joins the buttons of a loop.
    public static func buildArray(_ buttons: [[ButtonState<Action>]]) -> [ButtonState<Action>] {
        buttons.flatMap { $0 }
    }
    /// Returns the buttons of an `if` without `else`.
    public static func buildOptional(_ buttons: [ButtonState<Action>]?) -> [ButtonState<Action>] { buttons ?? [] }
    /// Returns the buttons of the first branch of an `if`.
    public static func buildEither(first buttons: [ButtonState<Action>]) -> [ButtonState<Action>] { buttons }
    /// Returns the buttons of an `else` branch.
    public static func buildEither(second buttons: [ButtonState<Action>]) -> [ButtonState<Action>] { buttons }
    /// Returns the buttons of a block with an availability condition.
    public static func buildLimitedAvailability(_ buttons: [ButtonState<Action>]) -> [ButtonState<Action>] { buttons }
}
