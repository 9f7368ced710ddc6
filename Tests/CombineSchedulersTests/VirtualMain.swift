import CombineCore
import Locking

@testable import CombineSchedulers

/// A substitute for the main queue on the clock of a test scheduler.
final class VirtualMain: MainSubstitute {
    private let state = Lock((now: Duration.zero, agenda: Agenda<Duration>()))

    var now: Duration { state.withLock { $0.now } }

    func schedule(_ action: @escaping () -> Void) {
        _ = schedule(after: .zero, action)
    }

    func schedule(after interval: Duration, _ action: @escaping () -> Void) -> any Cancellable {
        let number = state.withLock { state in
            let number = state.agenda.nextNumber()
            state.agenda.add(at: state.now + interval, number: number, action)
            return number
        }
        return Token(main: self, number: number)
    }

    /// Advances the clock and runs due actions as turns of a session.
    func advance(by interval: Duration = .zero) {
        let end = now + interval
        while let next = state.withLock({ $0.agenda.takeNext(until: end) }) {
            state.withLock { $0.now = max($0.now, next.date) }
            turn(next.action)
        }
        state.withLock { $0.now = end }
    }

    /// Runs `action` as a turn of a session.
    func turn<Result>(_ action: () -> Result) -> Result {
        MainContext.with(self, action)
    }

    private struct Token: Cancellable {
        let main: VirtualMain
        let number: UInt

        func cancel() {
            _ = main.state.withLock { $0.agenda.remove(number) }
        }
    }
}
