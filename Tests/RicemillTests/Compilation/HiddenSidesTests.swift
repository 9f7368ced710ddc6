import CompilerTesting
import Testing

/// Sources that must not compile, each with a similar one that must.
struct HiddenSidesTests {
    /// A machine as a user writes it.
    private static let machine = """
        import CombineCore
        import Ricemill

        final class ViewModel: Machine<ViewModel> {
            typealias Output = Store
            final class Input: BindableInputType {
                let tap = PassthroughSubject<Void, Never>()
                @Published var isOn = false
            }
            final class Store: StoredOutputType {
                @Published var count = 0
                let subject = CurrentValueSubject<Int, Never>(0)
                let event = PassthroughSubject<Int, Never>()
            }
            struct Extra: ExtraType {}
            static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
                POLISH
                return Polished(cancellables: [])
            }
        }

        func use(_ viewModel: ViewModel) {
            USE
        }
        """

    private func source(polish: String = "", use: String = "") -> String {
        Self.machine.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            switch line.drop(while: { $0 == " " }) {
            case "POLISH": polish
            case "USE": use
            default: String(line)
            }
        }.joined(separator: "\n")
    }

    struct Pair: Sendable, CustomTestStringConvertible {
        let allowed: String
        let forbidden: String
        /// The reason in the compiler's message. The source must fail for this reason and no other. For a member that
        /// is available only on settable properties, the compiler reports that the property is not settable.
        let complaint: String

        var testDescription: String { forbidden }
    }

    @Test(arguments: [
        Pair(
            allowed: "_ = viewModel.output.event.sink { _ in }", forbidden: "viewModel.output.event.send(1)",
            complaint: "'event' is a 'let' constant"),
        Pair(
            allowed: "_ = viewModel.output.subject + 1", forbidden: "viewModel.output.subject.send(1)",
            complaint: "'subject' is a 'let' constant"),
        Pair(
            allowed: "viewModel.input.tap.send()", forbidden: "_ = viewModel.input.tap.sink { _ in }",
            complaint: "has no member 'sink'"),
        Pair(
            allowed: "_ = InputProxy(ViewModel.Input())", forbidden: "_ = Publishing(ViewModel.Input())",
            complaint: "is inaccessible due to 'internal' protection level"),
        Pair(
            allowed: "viewModel.input.isOn.wrappedValue = true", forbidden: "viewModel.input.isOn = true",
            complaint: "cannot assign"),
    ])
    func `a view can only send to inputs and read outputs`(pair: Pair) throws {
        let checker = try TypeChecker()
        let allowed = try checker.check(source(use: pair.allowed))
        #expect(allowed.isAccepted, "\(allowed.diagnostics)")
        let forbidden = try checker.check(source(use: pair.forbidden))
        #expect(!forbidden.isAccepted)
        #expect(forbidden.diagnostics.contains(pair.complaint), "\(forbidden.diagnostics)")
    }

    @Test func `polish can subscribe to inputs but not send to them`() throws {
        let checker = try TypeChecker()
        let allowed = try checker.check(source(polish: "_ = input.tap.sink { _ in }; _ = input.isOn"))
        #expect(allowed.isAccepted, "\(allowed.diagnostics)")
        let forbidden = try checker.check(source(polish: "input.tap.send()"))
        #expect(!forbidden.isAccepted)
        #expect(forbidden.diagnostics.contains("'tap' is a 'let' constant"), "\(forbidden.diagnostics)")
    }

    @Test func `an output that is not a store must be passed explicitly`() throws {
        let body = """
            import CombineCore
            import Ricemill

            struct Shown: OutputType { let count = Just(1) }

            func polished() -> Polished<Shown> {
                RETURN
            }
            """
        let checker = try TypeChecker()
        func check(_ line: String) throws -> TypeChecker.Verdict {
            try checker.check(
                body.split(separator: "\n").map { $0.contains("RETURN") ? line : String($0) }.joined(separator: "\n"))
        }
        let allowed = try check("Polished(output: Shown(), cancellables: [])")
        #expect(allowed.isAccepted, "\(allowed.diagnostics)")
        let forbidden = try check("Polished(cancellables: [])")
        #expect(!forbidden.isAccepted)
    }
}
