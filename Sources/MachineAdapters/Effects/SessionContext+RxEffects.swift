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
}
