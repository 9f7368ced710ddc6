import CombineCore
import StateCapture

/// The publisher of a subject. It fails once the subject was disposed of.
struct SubjectPublisher<Core: Subject>: Publisher where Core.Failure == any Error {
    typealias Output = Core.Output
    typealias Failure = any Error

    let core: Core
    let state: SubjectState

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == any Error {
        // In a restored wiring, the core registers the same part as before; it sends nothing.
        if state.isDisposed, !StateRegistry.isRestoring {
            Fail(error: RxError.disposed(object: core)).receive(subscriber: subscriber)
        } else {
            core.receive(subscriber: subscriber)
        }
    }
}
