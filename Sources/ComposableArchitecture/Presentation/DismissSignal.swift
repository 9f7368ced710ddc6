import CombineCore
import Locking

/// A signal with which an effect of a child asks the parent to dismiss the child.
///
/// The child's running effects observe the signal. One of them forwards the request as an action of the parent, where
/// the store is confined.
final class DismissSignal: Sendable {
    private struct State {
        var observers: [Int: UnsafeTransfer<() -> Void>] = [:]
        var last = 0
    }

    private let state = Lock(State())

    /// Calls the oldest observer and removes all observers, so that the parent receives one action.
    func send() {
        let observer = state.withLock { state in
            defer { state.observers = [:] }
            return state.observers.min { $0.key < $1.key }?.value
        }
        observer?.value()
    }

    func addObserver(_ body: @escaping () -> Void) -> Int {
        state.withLock { state in
            state.last += 1
            state.observers[state.last] = UnsafeTransfer(body)
            return state.last
        }
    }

    func removeObserver(_ number: Int) {
        let dropped = state.withLock { $0.observers.removeValue(forKey: number) }
        withExtendedLifetime(dropped?.value) {}
    }
}

extension Effect where Failure == Never {
    /// Returns this effect, which also sends `action` if the signal is sent while it runs.
    func dismissing(with action: Output, on signal: DismissSignal) -> Effect {
        guard case .publisher(let publisher) = work else { return self }
        return .attached { downstream, scope in
            let channel = EffectChannel(downstream)
            downstream.receive(subscription: channel)
            channel.startWork {
                let observer = signal.addObserver { scope.deliver { channel.send(action) } }
                let token = scope.run {
                    publisher.sink(
                        receiveCompletion: { _ in
                            signal.removeObserver(observer)
                            channel.send(completion: .finished)
                        }, receiveValue: { channel.send($0) })
                }
                return AnyCancellable {
                    signal.removeObserver(observer)
                    token.cancel()
                }
            }
        }
    }
}
