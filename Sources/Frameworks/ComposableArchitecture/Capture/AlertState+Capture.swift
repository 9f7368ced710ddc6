import FoundationEssentials
package import StateCapture

// Alerts are stored in the form in which earlier builds store them, which have at most two buttons: both directions of an update
// continue the sessions of the other build. Only what that form has no place for is stored in another one.

extension AlertState: CompositeState {
    /// Returns the codec of an alert; nil if its actions cannot be captured.
    package static func stateCodec(_ reading: inout CodecReading, at path: String) -> StateCodec<Self>? {
        guard let action = reading.codec(of: Action?.self, at: path),
            let pair = KnownCodecs.codec(of: StoredAlert.self), let list = KnownCodecs.codec(of: StoredDialog.self)
        else { return nil }
        return StateCodec { alert, json in
            let buttons = try alert.buttons.map { try StoredButton($0, action) }
            if let stored = StoredAlert(alert, buttons) { return try pair.encode(stored, &json) }
            let stored = StoredDialog(id: alert.id, title: alert.title, message: alert.message, buttons: buttons)
            try list.encode(stored, &json)
        } decode: { json in
            let stored: StoredDialog
            do {
                stored = try pair.decode(json).dialog
            } catch let error as StateFormMismatch {
                guard let found = try? list.decode(json) else { throw error }
                stored = found
            }
            return AlertState(
                id: stored.id, title: TextState(stored.title), message: stored.message.map { TextState($0) },
                buttons: try stored.buttons.map { try $0.button(action) })
        }
    }
}

extension ConfirmationDialogState: CompositeState {
    /// Returns the codec of a dialog; nil if its actions cannot be captured.
    package static func stateCodec(_ reading: inout CodecReading, at path: String) -> StateCodec<Self>? {
        guard let action = reading.codec(of: Action?.self, at: path),
            let plain = KnownCodecs.codec(of: StoredDialog.self),
            let titled = KnownCodecs.codec(of: StoredTitledDialog.self)
        else { return nil }
        return StateCodec { dialog, json in
            let stored = StoredDialog(
                id: dialog.id, title: dialog.title, message: dialog.message,
                buttons: try dialog.buttons.map { try StoredButton($0, action) })
            if dialog.titleVisibility == .automatic { return try plain.encode(stored, &json) }
            try titled.encode(StoredTitledDialog(dialog: stored, titleVisibility: dialog.titleVisibility), &json)
        } decode: { json in
            let stored: StoredTitledDialog
            do {
                stored = StoredTitledDialog(dialog: try plain.decode(json), titleVisibility: .automatic)
            } catch let error as StateFormMismatch {
                guard let found = try? titled.decode(json) else { throw error }
                stored = found
            }
            let dialog = stored.dialog
            return ConfirmationDialogState(
                id: dialog.id, title: TextState(dialog.title), titleVisibility: stored.titleVisibility,
                message: dialog.message.map { TextState($0) }, buttons: try dialog.buttons.map { try $0.button(action) }
            )
        }
    }
}

/// An alert with at most two buttons. The names of the members are part of the stored form.
private struct StoredAlert {
    let id: UUID
    let title: String
    let message: String?
    let primaryButton: StoredButton?
    let secondaryButton: StoredButton?

    init?(_ alert: AlertState<some Any>, _ buttons: [StoredButton]) {
        guard buttons.count <= 2 else { return nil }
        id = alert.id
        title = String(state: alert.title)
        message = alert.message.map { String(state: $0) }
        primaryButton = buttons.first
        secondaryButton = buttons.count > 1 ? buttons[1] : nil
    }

    var dialog: StoredDialog {
        StoredDialog(
            id: id, title: title, message: message, buttons: [primaryButton, secondaryButton].compactMap { $0 })
    }
}

/// A dialog, or an alert with more buttons. The names of the members are part of the stored form.
private struct StoredDialog {
    let id: UUID
    let title: String
    let message: String?
    let buttons: [StoredButton]

    init(id: UUID, title: String, message: String?, buttons: [StoredButton]) {
        self.id = id
        self.title = title
        self.message = message
        self.buttons = buttons
    }

    init(id: UUID, title: TextState, message: TextState?, buttons: [StoredButton]) {
        self.init(id: id, title: String(state: title), message: message.map { String(state: $0) }, buttons: buttons)
    }
}

/// A dialog that states whether its title is shown.
private struct StoredTitledDialog {
    let dialog: StoredDialog
    let titleVisibility: ConfirmationDialogStateTitleVisibility
}

/// A button. The names of the members are part of the stored form.
private struct StoredButton {
    let action: EncodedState
    let type: StoredButtonType

    init<Action>(_ button: ButtonState<Action>, _ codec: StateCodec<Action?>) throws {
        action = try EncodedState(button.action.action, codec)
        let label = String(state: button.label)
        type =
            switch button.role {
            case .cancel: .cancel(label: label)
            case .destructive: .destructive(label: label)
            case nil: .default(label: label)
            }
    }

    func button<Action>(_ codec: StateCodec<Action?>) throws -> ButtonState<Action> {
        let action = try action.decoded(by: codec)
        return switch type {
        // Earlier builds have stored no label for that of the platform.
        case .cancel(let label): ButtonState(role: .cancel, action: .send(action)) { TextState(label ?? "Cancel") }
        case .default(let label): ButtonState(action: .send(action)) { TextState(label) }
        case .destructive(let label): ButtonState(role: .destructive, action: .send(action)) { TextState(label) }
        }
    }
}

private enum StoredButtonType {
    case cancel(label: String?)
    case `default`(label: String)
    case destructive(label: String)
}
