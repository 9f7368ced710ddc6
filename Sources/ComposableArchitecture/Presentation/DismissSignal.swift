import CombineCore
import Locking

/// How an effect of a child tells its parent that the child wants to go.
///
/// It leads to the streams of the child's running effects: whichever is there passes the wish on, as an action of the
/// parent, where the store's work is done.
final class DismissSignal: Sendable {
    private struct State {
        var listeners: [Int: UnsafeTransfer<() -> Void>] = [:]
        var last = 0
    }

    private let state = Lock(State())

    /// Tells the listener that has waited longest; each hears of it at most once.
    func send() {
        let listener = state.withLock { state in
            defer { state.listeners = [:] }
            return state.listeners.min { $0.key < $1.key }?.value
        }
        listener?.value()
    }

    func listen(_ body: @escaping () -> Void) -> Int {
        state.withLock { state in
            state.last += 1
            state.listeners[state.last] = UnsafeTransfer(body)
            return state.last
        }
    }

    func ignore(_ number: Int) {
        let dropped = state.withLock { $0.listeners.removeValue(forKey: number) }
        withExtendedLifetime(dropped?.value) {}
    }
}

extension Effect where Failure == Never {
    /// The same effect, which delivers `action` when the signal is sent while it runs.
    func dismissing(with action: Output, on signal: DismissSignal) -> Effect {
        guard case .publisher(let publisher) = work else { return self }
        return .attached { downstream, home in
            let channel = EffectChannel(downstream)
            downstream.receive(subscription: channel)
            channel.startWork {
                let listener = signal.listen { home.deliver { channel.send(action) } }
                let token = home.run {
                    publisher.sink(
                        receiveCompletion: { _ in
                            signal.ignore(listener)
                            channel.send(completion: .finished)
                        }, receiveValue: { channel.send($0) })
                }
                return AnyCancellable {
                    signal.ignore(listener)
                    token.cancel()
                }
            }
        }
    }
}
