import CombineCore

/// The declaration of an effect by a session.
struct EffectDeclaration<Question: Codable, Answer: Encodable, Failure: Error> {
    let name: String
    let onCrash: CrashReaction<Failure>
    let startsBeforeCommit: Bool
    let ask: (Question) -> AnyPublisher<Answer, Failure>
}

/// The answer to a question, as a publisher of one value. Each subscription asks once.
struct EffectPublisher<Question: Codable, Answer: Encodable, Failure: Error>: Publisher {
    typealias Output = Answer

    let effects: SessionEffects
    let declaration: EffectDeclaration<Question, Answer, Failure>
    let question: Question
    /// The names by which a restored machine cancels the effect.
    var cancellationNames: [String] = []

    func receive<S: Subscriber>(subscriber: S) where S.Input == Answer, S.Failure == Failure {
        let answer = AwaitedAnswer(self, AnySubscriber(subscriber))
        subscriber.receive(subscription: answer)
        effects.begin(answer)
    }
}
