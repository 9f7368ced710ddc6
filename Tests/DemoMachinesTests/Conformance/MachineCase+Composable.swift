import DemoMachines
import FoundationEssentials
import MachineHost
import MachineTesting

extension MachineCase {
    /// Every composable demo as the server registers it. A demo without a script here fails the test that a script
    /// changes every output.
    static let composable: [MachineCase] = {
        do {
            return try MachineDefinition.composableDemos(makeIDs: countedIDs).map { demo in
                MachineCase(demo, script: scripts[demo.name] ?? [])
            }
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
}
