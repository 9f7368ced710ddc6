public import CombineCore
import HTTPModel
import Locking

// Each form wraps a function of an Extra and returns one that is called in the same way.
extension SessionContext {
    /// Declares an effect: work outside of the machine that belongs to the session, and that a crash does not lose.
    ///
    /// The result is a function that is called like the one that asks. The turn that subscribes to its publisher records
    /// the question, and the question is asked when the turn has been stored. The answer arrives as a turn of its own, on
    /// the session's loop, and is recorded with it. A subscriber that cancels ends the effect.
    ///
    /// After a crash, the machine is wired again. A subscriber that asks the same question while that happens waits for
    /// the stored effect, which is asked again or fails, as `onCrash` says. If nobody asks, the effect is reported to
    /// ``HostedMachine/resumed(_:)`` as interrupted. With the durability ``Durability/memory``, the question is asked
    /// immediately, and nothing is recorded.
    ///
    /// The closure finds the key under which a service may recognize a repeated question in ``EffectCall/current``.
    ///
    /// ```swift
    /// extra: .init(searchRepositories: context.effect("search") { gitHub.searchRepositories($0) })
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name under which the effect is found again. Unique in the machine; otherwise it cannot be hosted.
    ///   - onCrash: The treatment of an effect that was not answered when the process ended.
    ///   - startsBeforeCommit: Whether the question may be asked before the turn is stored, and so for a turn that is then
    ///     lost. For reads whose latency matters.
    ///   - ask: Returns a publisher of the answer. Of several values, the first is the answer. It may deliver on any
    ///     thread.
    /// - Returns: The function for the machine's Extra. If the question or the answer cannot be encoded, the session ends
    ///   with an incident.
    public func effect<Question: Codable, Answer: Codable, Source: Publisher>(
        _ name: String, onCrash: CrashReaction<Source.Failure> = .again, startsBeforeCommit: Bool = false,
        _ ask: @escaping (Question) -> Source
    ) -> (Question) -> AnyPublisher<Answer, Source.Failure> where Source.Output == Answer {
        let declaration = EffectDeclaration(
            name: name, onCrash: onCrash, startsBeforeCommit: startsBeforeCommit,
            ask: { ask($0).eraseToAnyPublisher() })
        let effects = effects
        effects.declare(name)
        return { EffectPublisher(effects: effects, declaration: declaration, question: $0).eraseToAnyPublisher() }
    }

    /// Declares an effect that an asynchronous function performs. See the form for publishers.
    ///
    /// - Returns: A function that returns a publisher, so that the pipeline that waits for the answer can be restored.
    public func effect<Question: Codable, Answer: Codable>(
        _ name: String, onCrash: CrashReaction<any Error> = .again, startsBeforeCommit: Bool = false,
        _ ask: @escaping @Sendable (Question) async throws -> Answer
    ) -> (Question) -> AnyPublisher<Answer, any Error> {
        effect(name, onCrash: onCrash, startsBeforeCommit: startsBeforeCommit, asking(ask))
    }

    /// Declares an effect that a function with an asynchronous sequence performs. Its first element is the answer; then the
    /// task that reads the sequence ends. See the form for publishers.
    ///
    /// - Returns: A function that returns a publisher, so that the pipeline that waits for the answer can be restored.
    public func effect<Question: Codable & SendableMetatype, Answers: AsyncSequence & SendableMetatype>(
        _ name: String, onCrash: CrashReaction<any Error> = .again, startsBeforeCommit: Bool = false,
        _ ask: @escaping @Sendable (Question) -> Answers
    ) -> (Question) -> AnyPublisher<Answers.Element, any Error>
    where Answers.Element: Codable & SendableMetatype, Answers.AsyncIterator: SendableMetatype {
        let first = asking { (question: Question) -> Answers.Element? in
            for try await answer in ask(question) { return answer }
            return nil
        }
        return effect(name, onCrash: onCrash, startsBeforeCommit: startsBeforeCommit) { (question: Question) in
            first(question).compactMap { $0 }
        }
    }

    /// Declares an effect that an asynchronous function performs, for a machine that awaits the answer in a task.
    ///
    /// A task does not survive the process. After a crash nobody awaits the answer, so the effect is reported to
    /// ``HostedMachine/resumed(_:)``.
    ///
    /// - Returns: A function that is called like `ask`, from any thread.
    public func effect<Question: Codable & Sendable, Answer: Codable & Sendable>(
        _ name: String, startsBeforeCommit: Bool = false, _ ask: @escaping @Sendable (Question) async throws -> Answer
    ) -> @Sendable (Question) async throws -> Answer {
        let publisher: (Question) -> AnyPublisher<Answer, any Error> = effect(
            name, startsBeforeCommit: startsBeforeCommit, ask)
        let made = UnsafeTransfer(publisher)
        return { question in
            for try await answer in made.value(question).values { return answer }
            throw EffectInterrupted()
        }
    }

    /// Declares an effect whose answer becomes an action, for a machine whose pipelines are not captured.
    ///
    /// - Parameter resume: Subscribes to the answer of a stored effect in a restored machine, given the names by which it is
    ///   cancelled.
    /// - Returns: A function that asks, given these names.
    package func effect<Question: Codable, Answer: Codable, Failure: Error>(
        _ name: String, onCrash: CrashReaction<Failure>, startsBeforeCommit: Bool,
        _ ask: @escaping (Question) -> AnyPublisher<Answer, Failure>,
        resume: @escaping (Question, AnyPublisher<Answer, Failure>, [String]) -> Void
    ) -> (Question, [String]) -> AnyPublisher<Answer, Failure> {
        let declaration = EffectDeclaration(
            name: name, onCrash: onCrash, startsBeforeCommit: startsBeforeCommit, ask: ask)
        let effects = effects
        effects.declare(name) { [unowned effects] stored in
            guard case .answer(let json, _) = stored.work,
                let question = try? EffectJSON.decode(Question.self, from: json)
            else { return }
            let publisher = EffectPublisher(effects: effects, declaration: declaration, question: question)
            resume(question, publisher.eraseToAnyPublisher(), stored.cancellationNames)
        }
        return { question, names in
            EffectPublisher(effects: effects, declaration: declaration, question: question, cancellationNames: names)
                .eraseToAnyPublisher()
        }
    }

    /// Returns a function with a publisher that runs an asynchronous function when it is subscribed, and cancels its task.
    package func asking<Question, Answer>(
        _ ask: @escaping @Sendable (Question) async throws -> Answer
    ) -> (Question) -> AnyPublisher<Answer, any Error> {
        // The effects belong to the context, so they must not retain it.
        let loop = loop
        return { question in
            let question = UnsafeTransfer(question)
            let task = Lock<Task<Void, Never>?>(nil)
            return Future<Answer, any Error> { promise in
                let promise = UnsafeTransfer(promise)
                // A task inherits the task-local call.
                let made = Task(executorPreference: loop.taskExecutor) {
                    do {
                        promise.value(.success(try await ask(question.value)))
                    } catch {
                        promise.value(.failure(error))
                    }
                }
                task.withLock { $0 = made }
            }
            .handleEvents(receiveCancel: { task.withLock { $0 }?.cancel() })
            .eraseToAnyPublisher()
        }
    }
}

// Timers.
extension SessionContext {
    /// Declares a timer that repeats, and that a crash does not lose.
    ///
    /// Each subscription starts a timer, which fires first after one interval, and is cancelled with the subscription.
    /// Each shot is a turn. The times stay on a grid. In a restored machine, a subscriber that attaches while the machine
    /// is wired continues the stored timer: if it became due meanwhile, it fires once, and then continues on its grid.
    ///
    /// - Parameters:
    ///   - name: The name under which the timer is found again. Unique among the machine's effects and timers.
    ///   - interval: The time between two shots.
    /// - Returns: The timer. A subscriber without demand misses shots.
    public func timer(_ name: String, every interval: Duration) -> AnyPublisher<Void, Never> {
        timer(name, after: interval, grid: TimerGrid(interval: interval))
    }

    /// Declares a timer that fires once for each subscription, and that a crash does not lose.
    ///
    /// - Parameters:
    ///   - name: The name under which the timer is found again. Unique among the machine's effects and timers.
    ///   - delay: The time from the subscription until the timer fires.
    public func timer(_ name: String, after delay: Duration) -> AnyPublisher<Void, Never> {
        timer(name, after: delay, grid: nil)
    }

    /// Declares a timer whose shots become actions, for a machine whose pipelines are not captured.
    ///
    /// - Parameters:
    ///   - name: The name under which the timer is found again.
    ///   - delay: The time from the subscription to the first shot, or between two shots.
    ///   - isRepeating: Whether the timer fires again and again.
    ///   - resume: Subscribes to a stored timer in a restored machine, given the names by which it is cancelled.
    /// - Returns: A function that starts the timer, given these names.
    package func timer(
        _ name: String, each delay: Duration, isRepeating: Bool,
        resume: @escaping (AnyPublisher<Void, Never>, [String]) -> Void
    ) -> ([String]) -> AnyPublisher<Void, Never> {
        let (effects, grid) = (effects, isRepeating ? TimerGrid(interval: delay) : nil)
        effects.declare(name) { [unowned effects] stored in
            guard case .time = stored.work else { return }
            let publisher = TimerPublisher(effects: effects, name: name, delay: delay, grid: grid)
            resume(publisher.eraseToAnyPublisher(), stored.cancellationNames)
        }
        return { names in
            TimerPublisher(effects: effects, name: name, delay: delay, grid: grid, cancellationNames: names)
                .eraseToAnyPublisher()
        }
    }

    private func timer(_ name: String, after delay: Duration, grid: TimerGrid?) -> AnyPublisher<Void, Never> {
        let effects = effects
        effects.declare(name)
        return TimerPublisher(effects: effects, name: name, delay: delay, grid: grid).eraseToAnyPublisher()
    }
}
