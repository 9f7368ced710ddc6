import CompilerTesting
import Testing

/// Sources that must not compile, each with a similar one that must.
struct HiddenSidesTests {
    private func source(superclass: String = "UnioStream", bind: String = "", use: String = "") -> String {
        """
        import RxCore
        import Unio

        final class ViewStream: \(superclass)<ViewStream> {
            struct Input: InputType {
                let tap = PublishRelay<Int>()
                let subject = PublishSubject<Int>()
            }
            struct Output: OutputType {
                let count: BehaviorRelay<Int>
                let title: BehaviorSubject<String>
                let event: PublishRelay<Int>
            }
            struct State: StateType {
                let count = BehaviorRelay(value: 0)
                let title = BehaviorSubject(value: "")
                let event = PublishRelay<Int>()
            }
            typealias Extra = NoExtra
            static func bind(from dependency: Dependency<Input, State, Extra>, disposeBag: DisposeBag) -> Output {
                \(bind)
                return Output(
                    count: dependency.state.count, title: dependency.state.title, event: dependency.state.event)
            }
        }

        func use(_ stream: ViewStream) throws {
            \(use)
        }
        """
    }

    struct Pair: Sendable, CustomTestStringConvertible {
        let allowed: String
        let forbidden: String
        /// The reason in the compiler's message. The source must fail for this reason and no other. For a member with
        /// candidates of several types, the compiler reports an ambiguity.
        let complaint: String

        var testDescription: String { forbidden }
    }

    @Test(arguments: [
        Pair(
            allowed: "stream.input.tap(1)", forbidden: "stream.input.tap.accept(1)",
            complaint: "has no member 'accept'"),
        Pair(
            allowed: "stream.input.tap.onNext(1)", forbidden: "_ = stream.input.tap.subscribe(onNext: { _ in })",
            complaint: "has no member 'subscribe'"),
        Pair(
            allowed: "stream.input.subject.onNext(1)", forbidden: "_ = stream.input.subject.asObservable()",
            complaint: "has no member 'asObservable'"),
        Pair(
            allowed: "_ = stream.output.count.value", forbidden: "stream.output.count.accept(1)",
            complaint: "reference to member 'accept' cannot be resolved"),
        Pair(
            allowed: "_ = try stream.output.title.throwableValue()", forbidden: "stream.output.title.onNext(\"\")",
            complaint: "reference to member 'onNext' cannot be resolved"),
        Pair(
            allowed: "_ = stream.output.event.subscribe(onNext: { _ in })",
            forbidden: "stream.output.event.accept(1)", complaint: "has no member 'accept'"),
        Pair(
            allowed: "let p: Property<Int> = stream.output.count; _ = p.asObservable().map { $0 }",
            forbidden: "let p: Property<Int> = stream.output.count; _ = p.map { $0 }",
            complaint: "has no member 'map'"),
        Pair(
            allowed: "_ = InputWrapper(ViewStream.Input())", forbidden: "_ = ObservableWrapper(ViewStream.Input())",
            complaint: "is inaccessible due to 'internal' protection level"),
        Pair(
            allowed: "_ = NoState()",
            forbidden: "_ = Dependency(input: ViewStream.Input(), state: NoState(), extra: NoExtra())",
            complaint: "is inaccessible due to 'internal' protection level"),
    ])
    func `a view can only send to inputs and read outputs`(pair: Pair) throws {
        let checker = try TypeChecker()
        let allowed = try checker.check(source(use: pair.allowed))
        #expect(allowed.isAccepted, "\(allowed.diagnostics)")
        let forbidden = try checker.check(source(use: pair.forbidden))
        #expect(!forbidden.isAccepted)
        #expect(forbidden.diagnostics.contains(pair.complaint), "\(forbidden.diagnostics)")
    }

    @Test func `a logic can observe inputs but not send to them`() throws {
        let checker = try TypeChecker()
        let allowed = try checker.check(
            source(bind: "dependency.inputObservables.tap.bind(to: dependency.state.count).disposed(by: disposeBag)"))
        #expect(allowed.isAccepted, "\(allowed.diagnostics)")
        let forbidden = try checker.check(source(bind: "dependency.inputObservables.tap.accept(1)"))
        #expect(!forbidden.isAccepted)
        #expect(forbidden.diagnostics.contains("has no member 'accept'"), "\(forbidden.diagnostics)")
    }

    @Test func `SR12081 has an alias of the same form`() throws {
        let verdict = try TypeChecker().check(source(superclass: "SR12081.UnioStream"))
        #expect(verdict.isAccepted, "\(verdict.diagnostics)")
        #expect(verdict.diagnostics.contains("is deprecated"), "\(verdict.diagnostics)")
    }

    @Test func `the compiler rejects a stream without a bind`() throws {
        let verdict = try TypeChecker().check(
            """
            import RxCore
            import Unio

            final class ViewStream: UnioStream<ViewStream> {
                struct Input: InputType {}
                struct Output: OutputType {}
                typealias State = NoState
                typealias Extra = NoExtra
            }
            """)
        #expect(!verdict.isAccepted)
        #expect(verdict.diagnostics.contains("does not conform to protocol 'LogicType'"), "\(verdict.diagnostics)")
    }
}
