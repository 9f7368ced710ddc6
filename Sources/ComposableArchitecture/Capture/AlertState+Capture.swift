import FoundationEssentials
package import StateCapture

// Alerts are stored in the form in which earlier builds store them, which have at most two buttons: both directions of an update
// continue the sessions of the other build. Only what that form has no place for is stored in another one.

extension AlertState: CompositeState {
    /// Returns the codec of an alert; nil if its actions cannot be captured.
    package static func stateCodec(_ reading: inout CodecReading, at path: String) -> StateCodec<Self>? {
        guard let pair = reading.codec(of: StoredAlert<Action>.self, at: path),
            let list = reading.codec(of: StoredDialog<Action>.self, at: path)
        else { return nil }
        return StateCodec { alert, json in
            if let stored = StoredAlert(alert) { return try pair.encode(stored, &json) }
            try list.encode(StoredDialog(alert), &json)
        } decode: { json in
            do {
                return try pair.decode(json).alert
            } catch let error as StateFormMismatch {
                guard let alert = try? list.decode(json).alert else { throw error }
                return alert
            }
        }
    }
}

extension ConfirmationDialogState: CompositeState {
    /// Returns the codec of a dialog; nil if its actions cannot be captured.
    package static func stateCodec(_ reading: inout CodecReading, at path: String) -> StateCodec<Self>? {
        guard let plain = reading.codec(of: StoredDialog<Action>.self, at: path),
            let titled = reading.codec(of: StoredTitledDialog<Action>.self, at: path)
        else { return nil }
        return StateCodec { dialog, json in
            let stored = StoredDialog(dialog)
            if dialog.titleVisibility == .automatic { return try plain.encode(stored, &json) }
            try titled.encode(StoredTitledDialog(dialog: stored, titleVisibility: dialog.titleVisibility), &json)
        } decode: { json in
            do {
                return try plain.decode(json).dialog(.automatic)
            } catch let error as StateFormMismatch {
                guard let found = try? titled.decode(json) else { throw error }
                return found.dialog.dialog(found.titleVisibility)
            }
        }
    }
}

/// An alert with at most two buttons. The names of the members are part of the stored form.
private struct StoredAlert<Action> {
    let id: UUID
    let title: String
    let message: String?
    let primaryButton: StoredButton<Action>?
    let secondaryButton: StoredButton<Action>?

    init?(_ alert: AlertState<Action>) {
        guard alert.buttons.count <= 2 else { return nil }
        id = alert.id
        title = String(state: alert.title)
        message = alert.message.map { String(state: $0) }
        primaryButton = alert.primaryButton.map { StoredButton($0) }
        secondaryButton = alert.secondaryButton.map { StoredButton($0) }
    }

    var alert: AlertState<Action> {
        AlertState(
            id: id, title: TextState(title), message: message.map { TextState($0) },
            buttons: [primaryButton, secondaryButton].compactMap { $0?.button })
    }
}

/// A dialog, or an alert with more buttons. The names of the members are part of the stored form.
private struct StoredDialog<Action> {
    let id: UUID
    let title: String
    let message: String?
    let buttons: [StoredButton<Action>]

    init(_ alert: AlertState<Action>) {
        id = alert.id
        title = String(state: alert.title)
        message = alert.message.map { String(state: $0) }
        buttons = alert.buttons.map { StoredButton($0) }
    }

    init(_ dialog: ConfirmationDialogState<Action>) {
        id = dialog.id
        title = String(state: dialog.title)
        message = dialog.message.map { String(state: $0) }
        buttons = dialog.buttons.map { StoredButton($0) }
    }

    var alert: AlertState<Action> {
        AlertState(
            id: id, title: TextState(title), message: message.map { TextState($0) }, buttons: buttons.map(\.button))
    }

    func dialog(_ visibility: ConfirmationDialogStateTitleVisibility) -> ConfirmationDialogState<Action> {
        ConfirmationDialogState(
            id: id, title: TextState(title), titleVisibility: visibility, message: message.map { TextState($0) },
            buttons: buttons.map(\.button))
    }
}

/// A dialog that states whether its title is shown.
private struct StoredTitledDialog<Action> {
    let dialog: StoredDialog<Action>
    let titleVisibility: ConfirmationDialogStateTitleVisibility
}

/// A button. The names of the members are part of the stored form.
private struct StoredButton<Action> {
    let action: Action?
    let type: StoredButtonType

    init(_ button: ButtonState<Action>) {
        action = button.action.action
        let label = String(state: button.label)
        type =
            switch button.role {
            case .cancel: .cancel(label: label)
            case .destructive: .destructive(label: label)
            case nil: .default(label: label)
            }
    }

    var button: ButtonState<Action> {
        switch type {
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
