import CombineCore
import CombineSchedulers
import ComposableArchitecture
import Dispatch
import Testing

@testable import DemoMachines

/// Tests of four nested optional features, from the login to a won game.
@Suite struct TicTacToeAppTests {
    private let scheduler = DispatchQueue.test

    private func makeStore(_ state: TicTacToeApp.State = .init()) -> TestStoreOf<TicTacToeApp> {
        TestStore(initialState: state, reducer: TicTacToeApp()) {
            $0.mainQueue = scheduler.eraseToAnyScheduler()
            $0.authenticationClient = .demo
        }
    }

    private func typed(_ email: String, _ password: String) -> TicTacToeApp.State {
        var state = TicTacToeApp.State()
        state.login = Login.State(email: email, isFormValid: true, password: password)
        return state
    }

    @Test func `the form is valid when both fields are filled`() {
        let store = makeStore()
        store.send(.login(.emailChanged("a@b"))) { $0.login?.email = "a@b" }
        store.send(.login(.passwordChanged("x"))) {
            $0.login?.password = "x"
            $0.login?.isFormValid = true
        }
        store.send(.login(.emailChanged(""))) {
            $0.login?.email = ""
            $0.login?.isFormValid = false
        }
    }

    @Test func `a login leads to a new game`() {
        let store = makeStore(typed("a@b", "password"))
        store.send(.login(.loginButtonTapped)) { $0.login?.isLoginRequestInFlight = true }
        scheduler.advance(by: 1)
        store.receive(
            .login(.loginResponse(.success(AuthenticationResponse(token: "final", twoFactorRequired: false))))
        ) {
            $0.login = nil
            $0.newGame = NewGame.State()
        }
        store.send(.newGame(.logoutButtonTapped)) {
            $0.newGame = nil
            $0.login = Login.State()
        }
    }

    @Test func `a wrong password shows an alert that can be dismissed`() {
        let store = makeStore(typed("a@b", "wrong"))
        store.send(.login(.loginButtonTapped)) { $0.login?.isLoginRequestInFlight = true }
        scheduler.advance(by: 1)
        store.receive(.login(.loginResponse(.failure(.invalidUserPassword)))) {
            $0.login?.isLoginRequestInFlight = false
            $0.login?.alert = AlertState(
                title: "The e-mail address and the password do not go together.",
                dismissButton: .cancel("OK", send: .alertDismissed))
        }
        store.send(.login(.alertDismissed)) { $0.login?.alert = nil }
    }

    @Test func `the second step requests a code, and going back cancels its request`() {
        let store = makeStore(typed("a@2fa", "password"))
        store.exhaustivity = .off
        store.send(.login(.loginButtonTapped))
        scheduler.advance(by: 1)
        store.receive(
            .login(.loginResponse(.success(AuthenticationResponse(token: "intermediate", twoFactorRequired: true))))
        ) { $0.login?.twoFactor = TwoFactor.State(token: "intermediate") }
        store.send(.login(.twoFactor(.codeChanged("123")))) { $0.login?.twoFactor?.isFormValid = false }
        store.send(.login(.twoFactor(.codeChanged("1235")))) { $0.login?.twoFactor?.isFormValid = true }
        store.send(.login(.twoFactor(.submitButtonTapped)))
        store.send(.login(.twoFactorDismissed)) { $0.login?.twoFactor = nil }
        store.exhaustivity = .on
        scheduler.advance(by: 5)
        store.finish()
    }

    @Test func `the right code leads to a new game`() {
        var state = typed("a@2fa", "password")
        state.login?.twoFactor = TwoFactor.State(token: "intermediate")
        state.login?.twoFactor?.code = "1234"
        let store = makeStore(state)
        store.send(.login(.twoFactor(.submitButtonTapped))) {
            $0.login?.twoFactor?.isTwoFactorRequestInFlight = true
        }
        scheduler.advance(by: 1)
        store.receive(/TicTacToeApp.Action.login) {
            $0.login = nil
            $0.newGame = NewGame.State()
        }
    }

    @Test(arguments: [
        ("intermediate", "That is not the code; in this demo it is 1234."),
        ("other", "The first step of this login is no longer known; begin again."),
    ])
    func `a failed second step shows the reason`(token: String, title: String) {
        var state = typed("a@2fa", "password")
        state.login?.twoFactor = TwoFactor.State(token: token)
        state.login?.twoFactor?.code = "1235"
        let store = makeStore(state)
        store.exhaustivity = .off
        store.send(.login(.twoFactor(.submitButtonTapped)))
        scheduler.advance(by: 1)
        store.receive(/TicTacToeApp.Action.login) {
            $0.login?.twoFactor?.alert = AlertState(
                title: title, dismissButton: .cancel("OK", send: .alertDismissed))
        }
    }

    @Test func `a complete row wins and ends the game`() {
        var state = TicTacToeApp.State()
        state.login = nil
        state.newGame = NewGame.State(oPlayerName: "o", xPlayerName: "x")
        let store = makeStore(state)
        store.send(.newGame(.letsPlayButtonTapped)) {
            $0.newGame?.game = Game.State(oPlayerName: "o", xPlayerName: "x")
        }
        store.exhaustivity = .off
        for (row, column) in [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)] {
            store.send(.newGame(.game(.cellTapped(row: row, column: column))))
        }
        #expect(store.state.newGame?.game?.winner == .x)
        store.exhaustivity = .on
        store.send(.newGame(.game(.cellTapped(row: 2, column: 2))))
        store.send(.newGame(.game(.cellTapped(row: 9, column: 2))))
        store.send(.newGame(.game(.playAgainButtonTapped))) {
            $0.newGame?.game = Game.State(oPlayerName: "o", xPlayerName: "x")
        }
        store.send(.newGame(.game(.quitButtonTapped))) { $0.newGame?.game = nil }
    }
}
