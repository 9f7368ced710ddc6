import CombineCore

/// The publisher of a subject. It fails once the subject was disposed of.
struct SubjectSource<Core: Subject>: Publisher where Core.Failure == any Error {
    typealias Output = Core.Output
    typealias Failure = any Error

    let core: Core
    let ending: Ending

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == any Error {
        if ending.isDisposed {
            Fail(error: RxError.disposed(object: core)).receive(subscriber: subscriber)
        } else {
            core.receive(subscriber: subscriber)
        }
    }
}
