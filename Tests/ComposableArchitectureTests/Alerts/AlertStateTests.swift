import FoundationEssentials
import JSONText
import Testing

@testable import ComposableArchitecture
@testable import StateCapture

@Suite struct AlertStateTests {
    private enum Action: Equatable {
        case delete(Int)
        case keep
    }

    private let alert = AlertState<Action> {
        TextState("Delete?")
    } actions: {
        ButtonState(role: .destructive, action: .delete(1)) { TextState("Delete") }
        ButtonState(action: .send(.keep, animation: .default)) { TextState("Keep") }
        ButtonState(role: .cancel) { TextState("Cancel") }
    } message: {
        TextState("It has ") + TextState("3 entries.")
    }

    @Test func `builders and lists create equal alerts`() {
        let listed = AlertState<Action>(
            title: TextState("Delete?"), message: TextState(verbatim: "It has 3 entries."),
            buttons: [
                .destructive(TextState("Delete"), action: .send(.delete(1))), .default("Keep", send: .keep), .cancel(),
            ])
        #expect(alert == listed)
        #expect(alert.id != listed.id)
        #expect(alert != AlertState { TextState("Delete?") })
    }

    @Test func `a builder takes conditions and loops`() {
        func dialog(_ isLong: Bool) -> ConfirmationDialogState<Action> {
            ConfirmationDialogState(titleVisibility: .visible) {
                TextState("Which?")
            } actions: {
                for number in 1...2 { ButtonState(action: .delete(number)) { TextState("\(number)") } }
                if isLong { ButtonState(action: .keep) { TextState("None") } }
                if isLong { ButtonState { TextState("a") } } else { ButtonState { TextState("b") } }
            }
        }
        #expect(dialog(true).buttons.map { String(state: $0.label) } == ["1", "2", "None", "a"])
        #expect(dialog(false).buttons.map { String(state: $0.label) } == ["1", "2", "b"])
        #expect(dialog(false).titleVisibility == .visible)
    }

    @Test func `a button passes its action`() async {
        var seen: [Action?] = []
        for button in alert.buttons { button.withAction { seen.append($0) } }
        #expect(seen == [.delete(1), .keep, nil])
        let texts = alert.map { action in action.map { "\($0)" } }
        #expect(texts.buttons.map(\.action.action) == ["delete(1)", "keep", nil])
        #expect(texts.id == alert.id)
        #expect(texts.buttons.map(\.role) == [.destructive, nil, .cancel])
    }

    @Test func `clients see all buttons with the names of their actions`() throws {
        var json: [UInt8] = []
        try JSONStream.append(alert, to: &json)
        #expect(
            String(decoding: json, as: UTF8.self)
                == #"{"title":"Delete?","message":"It has 3 entries.","buttons":["#
                + #"{"label":"Delete","role":"destructive","action":"delete"},"#
                + #"{"label":"Keep","role":"default","action":"keep"},{"label":"Cancel","role":"cancel","action":null}]}"#
        )
    }

    @Test func `a dump shows what an alert consists of`() {
        #expect(
            String(customDumping: alert) == """
                AlertState(
                  title: "Delete?",
                  actions: [
                    [0]: ButtonState(
                      role: .destructive,
                      action: .delete(1),
                      label: "Delete"
                    ),
                    [1]: ButtonState(
                      action: .keep,
                      label: "Keep"
                    ),
                    [2]: ButtonState(
                      role: .cancel,
                      label: "Cancel"
                    )
                  ],
                  message: "It has 3 entries."
                )
                """)
    }

    private func codec<Value>(_ type: Value.Type) throws -> StateCodec<Value> {
        var reading = CodecReading()
        let codec = reading.codec(of: type, at: "State.value")
        return try #require(codec)
    }

    private func stored<Value>(_ value: Value) throws -> String {
        var json: [UInt8] = []
        try codec(Value.self).encode(value, &json)
        return String(decoding: json, as: UTF8.self)
    }

    private func restored<Value>(_ text: String, as type: Value.Type) throws -> Value {
        try codec(type).decode(Array(text.utf8)[...])
    }

    private let id = "3F2504E0-4F89-41D3-9A0C-0305E82C3301"

    @Test func `alerts of earlier builds are restored`() throws {
        let text =
            #"{"id":"\#(id)","title":"T","message":null,"primaryButton":[{"action":[{"delete":{"_0":4}}],"#
            + #""type":{"destructive":{"label":"D"}}}],"secondaryButton":[{"action":[],"type":{"cancel":{"label":null}}}]}"#
        let alert = try restored(text, as: AlertState<Action>.self)
        #expect(alert.id.uuidString == id)
        #expect(
            alert
                == AlertState(
                    title: "T", primaryButton: .destructive("D", send: .delete(4)), secondaryButton: .cancel()))
        // Stored as before, except for the label that the platform had chosen.
        #expect(try stored(alert) == text.replacing("null}}}]}", with: #""Cancel"}}}]}"#))
    }

    @Test func `dialogs of earlier builds are restored`() throws {
        let text =
            #"{"id":"\#(id)","title":"T","message":"M","buttons":[{"action":["keep"],"type":{"default":{"label":"K"}}}]}"#
        let sheet = try restored(text, as: ActionSheetState<Action>.self)
        #expect(sheet == ActionSheetState(title: "T", message: "M", buttons: [.default("K", send: .keep)]))
        #expect(try stored(sheet) == text)
    }

    @Test func `what the earlier form has no place for is stored and restored`() throws {
        #expect(alert.buttons.count == 3)
        let again = try restored(stored(alert), as: AlertState<Action>.self)
        #expect(again == alert && again.id == alert.id)
        let dialog = ConfirmationDialogState<Action>(
            title: TextState("T"), titleVisibility: .hidden, buttons: [.default("K", send: .keep)])
        let second = try restored(stored(dialog), as: ConfirmationDialogState<Action>.self)
        #expect(second == dialog && second.id == dialog.id)
    }

    @Test(arguments: ["{}", "[]", #"{"title":"T"}"#, #"{"buttons":[]}"#])
    func `another form is rejected`(text: String) throws {
        #expect(throws: StateFormMismatch.self) { try restored(text, as: AlertState<Action>.self) }
        #expect(throws: StateFormMismatch.self) { try restored(text, as: ConfirmationDialogState<Action>.self) }
    }

    @Test func `an action that cannot be captured is an obstacle`() {
        var reading = CodecReading()
        #expect(reading.codec(of: AlertState<() -> Void>.self, at: "State.alert") == nil)
        #expect(!reading.obstacles.isEmpty)
    }
}
