import DemoMachines
import FoundationEssentials
import MachineHost
import MachineTesting

extension MachineDefinition {
    /// Returns the composable demos, whose searches a fake of GitHub answers.
    static func composableDemos() throws -> [MachineDefinition] {
        try composableDemos(searchRepositories: { FakeGitHub.answer(to: $0) })
    }
}

extension MachineCase {
    /// Every composable demo as the server registers it. A demo without a script here fails the test that a script
    /// changes every output.
    static let composable: [MachineCase] = {
        do {
            return try MachineDefinition.composableDemos(
                makeIDs: countedIDs, now: { Date(timeIntervalSince1970: 1_234_567_890) },
                searchRepositories: { FakeGitHub.answer(to: $0) }
            )
            .map { demo in MachineCase(demo, script: (scripts[demo.name] ?? macroScripts[demo.name]) ?? []) }
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    /// Returns a generator that creates the same ids in every session.
    @Sendable private static func countedIDs() -> () -> UUID {
        var last: UInt8 = 0
        return {
            last += 1
            return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last))
        }
    }

    private static let firstID = "00000000-0000-0000-0000-000000000001"
    private static let secondID = "00000000-0000-0000-0000-000000000002"

    private static let scripts: [String: [MachineStep]] = [
        "composable-counter": ["incrementButtonTapped", "incrementButtonTapped", "decrementButtonTapped"],
        "composable-two-counters": ["counter1.incrementButtonTapped", "counter2.decrementButtonTapped"],
        "composable-optional-counter": [
            "toggleCounterButtonTapped", "optionalCounter.incrementButtonTapped", "toggleCounterButtonTapped",
        ],
        "composable-tic-tac-toe": [
            #"login.emailChanged "me@2fa.com""#, #"login.passwordChanged "password""#, "login.loginButtonTapped",
            .wait(.seconds(1)), #"login.twoFactor.codeChanged "1234""#, "login.twoFactor.submitButtonTapped",
            .wait(.seconds(1)), #"newGame.xPlayerNameChanged "Ann""#, #"newGame.oPlayerNameChanged "Bob""#,
            "newGame.letsPlayButtonTapped", #"newGame.game.cellTapped {"row":1,"column":1}"#,
            "newGame.game.playAgainButtonTapped", "newGame.game.quitButtonTapped",
        ],
        "composable-effects": [
            "incrementButtonTapped", "numberFactButtonTapped", .wait(.seconds(1)), "decrementButtonTapped",
            .wait(.seconds(1)),
        ],
        "composable-cancellation": [
            "stepperChanged 7", "triviaButtonTapped", .wait(.seconds(1)), "triviaButtonTapped", "cancelButtonTapped",
            .wait(.seconds(1)),
        ],
        "composable-timer": [
            "toggleTimerButtonTapped", .wait(.seconds(1)), .wait(.seconds(1)), "toggleTimerButtonTapped",
        ],
        "composable-todos": [
            "addTodoButtonTapped", "addTodoButtonTapped", .input("todo.checkBoxToggled", #"{"id":"\#(firstID)"}"#),
            .input("todo.textFieldChanged", #"{"id":"\#(firstID)","value":"Milk"}"#), .wait(.seconds(1)),
            #"filterPicked "active""#, "clearCompletedButtonTapped", .input("delete", #""\#(firstID)""#),
        ],
        "composable-weather": [
            #"searchQueryChanged "b""#, #"searchQueryChanged "ber""#, .wait(.seconds(1)), "locationTapped 0",
            .wait(.seconds(1)), "locationTapped 1", #"searchQueryChanged """#, .wait(.seconds(1)),
        ],
        "composable-downloads": [
            #"download.buttonTapped {"id":1}"#, .wait(.seconds(1)), #"download.buttonTapped {"id":1}"#,
            #"download.stopButtonTapped {"id":1}"#, #"download.buttonTapped {"id":0}"#, .wait(.seconds(3)),
            .wait(.seconds(3)), #"download.buttonTapped {"id":0}"#, #"download.deleteButtonTapped {"id":0}"#,
        ],
    ]

    private static let macroScripts: [String: [MachineStep]] = [
        "composable-form": [
            "submitTapped", #"binding.name "Ann""#, #"binding.email "ann@taken.example""#, "binding.acceptsTerms true",
            "submitTapped", .wait(.milliseconds(50)), "alert.presented.tryAgain", .wait(.milliseconds(50)),
            "alert.dismiss", #"binding.email "ann@example.org""#, "submitTapped", .wait(.milliseconds(50)),
            "alert.presented.startOver",
        ],
        "composable-notes": [
            "addTapped", #"path.element.editor.titleChanged {"id":0,"value":"Milk"}"#,
            #"path.element.editor.textChanged {"id":0,"value":"Two bottles"}"#,
            #"path.element.editor.saveTapped {"id":0}"#, .input("noteTapped", #""\#(firstID)""#),
            #"path.element.detail.editTapped {"id":1}"#,
            #"path.element.editor.titleChanged {"id":2,"value":"Oat milk"}"#,
            #"path.element.editor.saveTapped {"id":2}"#, #"path.element.detail.deleteTapped {"id":1}"#,
            #"path.element.detail.dialog.presented.confirmDeletion {"id":1}"#, "addTapped", "path.popFrom 3",
        ],
        "composable-search": [
            #"queryChanged "s""#, #"queryChanged "swift""#, .wait(.milliseconds(300)), .wait(.milliseconds(50)),
            #"queryChanged "fail""#, .wait(.seconds(1)), #"queryChanged """#, .wait(.seconds(1)),
        ],
        "sync-ups": [
            "list.addTapped", #"list.destination.presented.add.titleChanged "Design""#,
            .input(
                "list.destination.presented.add.attendeeNameChanged", #"{"attendee":"\#(secondID)","name":"Ann"}"#),
            "list.destination.presented.add.minutesChanged 1", #"list.destination.presented.add.themePicked "sky""#,
            "list.confirmAddTapped", .input("list.syncUpTapped", #""\#(firstID)""#),
            #"path.element.detail.startMeetingTapped {"id":0}"#, .wait(.seconds(1)), .wait(.seconds(1)),
            #"path.element.record.endTapped {"id":1}"#, .wait(.seconds(1)),
            #"path.element.record.alert.presented.save {"id":1}"#, .wait(.seconds(1)),
            #"path.element.detail.deleteTapped {"id":0}"#, #"path.element.detail.destination.dismiss {"id":0}"#,
            "path.popFrom 0", .input("list.deleteTapped", #""\#(firstID)""#),
            .input("list.destination.presented.alert.confirmDeletion", #""\#(firstID)""#),
        ],
    ]
}
