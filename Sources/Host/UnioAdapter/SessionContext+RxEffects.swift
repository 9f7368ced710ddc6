import CombineCore
public import MachineHost
public import RxCore

// The forms for functions that return a stream of Rx. See the form for publishers.
extension SessionContext {
    /// Declares an effect that a function with a `Single` performs.
    ///
    /// - Returns: The function for the machine's Extra.
    public func effect<Question: Codable, Answer: Codable>(
        _ name: String, onCrash: CrashReaction<any Error> = .again, startsBeforeCommit: Bool = false,
        _ ask: @escaping (Question) -> Single<Answer>
    ) -> (Question) -> Single<Answer> {
        let answer: (Question) -> AnyPublisher<Answer, any Error> = effect(
            name, onCrash: onCrash, startsBeforeCommit: startsBeforeCommit
        ) { ask($0).asObservable().publisher }
        return { answer($0).asObservable().asSingle() }
    }

    /// Declares an effect that a function with an `Observable` performs. Its first element is the answer.
    ///
    /// - Returns: The function for the machine's Extra.
    public func effect<Question: Codable, Answer: Codable>(
        _ name: String, onCrash: CrashReaction<any Error> = .again, startsBeforeCommit: Bool = false,
        _ ask: @escaping (Question) -> Observable<Answer>
    ) -> (Question) -> Observable<Answer> {
        let answer: (Question) -> AnyPublisher<Answer, any Error> = effect(
            name, onCrash: onCrash, startsBeforeCommit: startsBeforeCommit
        ) { ask($0).publisher }
        return { answer($0).asObservable() }
    }

    /// Declares a timer that repeats, and that a crash does not lose. See the form with a publisher, which the compiler
    /// prefers unless the type is known to be an `Observable`.
    @_disfavoredOverload
    public func timer(_ name: String, every interval: Duration) -> Observable<Void> {
        let timer: AnyPublisher<Void, Never> = timer(name, every: interval)
        return timer.asObservable()
    }

    /// Declares a timer that fires once for each subscription, and that a crash does not lose. See the form with a publisher,
    /// which the compiler prefers unless the type is known to be an `Observable`.
    @_disfavoredOverload
    public func timer(_ name: String, after delay: Duration) -> Observable<Void> {
        let timer: AnyPublisher<Void, Never> = timer(name, after: delay)
        return timer.asObservable()
    }
}
