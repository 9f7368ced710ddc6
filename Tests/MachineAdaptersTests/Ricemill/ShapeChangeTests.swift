import CombineCore
import HTTPModel
import Locking
import Log
import MachineHost
import MachineTesting
import Ricemill
import RicemillAdapter
import RxCore
import Testing
import Unio
import UnioAdapter

/// Machines whose ports differ from the registered ones: creation must fail instead of ignoring a port.
struct ShapeChangeTests {
    /// The logged reason for a session whose machine differs from the registered one. The client receives an incident.
    private func reason(_ definition: (Log) throws -> MachineDefinition) throws -> String {
        let reasons = Lock<[String]>([])
        let log = Log(level: .error) { event in
            for field in event.fields where field.name == "reason" {
                if case .text(let text) = field.value { reasons.withLock { $0.append(text) } }
            }
        }
        let harness = try HostHarness([definition(log)], log: log)
        let answer = harness.send(.post, "/v1/sessions", body: #"{"machine":"shifting"}"#)
        #expect(answer.status == .internalServerError)
        #expect(answer.text.contains("\"incident\""))
        #expect(!answer.text.contains("PassthroughSubject"))
        return reasons.withLock { $0 }.joined()
    }

    private func shifting(
        _ make: @escaping @Sendable (_ isFirst: Bool) -> Shifting
    ) throws -> MachineDefinition {
        let isFirst = Lock(true)
        return try .ricemill("shifting", summary: "") { _ in
            make(
                isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                })
        }
    }

    @Test func `an input of another type than the registered one fails the creation, with its name and types`() throws {
        let reason = try reason { _ in
            try shifting { isFirst in
                let port: any Subject<Int, Never> =
                    isFirst ? PassthroughSubject<Int, Never>() : CurrentValueSubject<Int, Never>(0)
                return Shifting(input: .init(port: port), store: .init(), extra: .init(shown: Just(1)))
            }
        }
        #expect(
            reason.contains(
                "Input differs from its registration: expected the input \"port\" of type PassthroughSubject<Int, Never>, "
                    + "got CurrentValueSubject<Int, Never>"))
    }

    @Test func `an output of another type than the registered one fails the creation, with its name and types`() throws
    {
        let reason = try reason { _ in
            try shifting { isFirst in
                let shown: any Publisher<Int, Never> = isFirst ? Just(1) : PassthroughSubject<Int, Never>()
                return Shifting(input: .init(port: PassthroughSubject()), store: .init(), extra: .init(shown: shown))
            }
        }
        #expect(
            reason.contains("expected the output \"shown\" of type Just<Int>, got PassthroughSubject<Int, Never>"))
    }

    /// A stream whose input has a type that the initializer chooses.
    final class ShiftingStream: UnioStream<ShiftingStream> {
        struct Input: Unio.InputType {
            let port: any ObserverType<Int>
        }

        struct Output: Unio.OutputType {}
        typealias State = NoState
        typealias Extra = NoExtra

        static func bind(from dependency: Dependency<Input, State, Extra>, disposeBag: DisposeBag) -> Output {
            Output()
        }
    }

    @Test func `an input of a stream is checked as well`() throws {
        let reason = try reason { _ in
            let isFirst = Lock(true)
            return try .unio("shifting", summary: "") { _ in
                let isFirst = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                let port: any ObserverType<Int> = isFirst ? PublishSubject<Int>() : BehaviorSubject(value: 0)
                return ShiftingStream(input: .init(port: port), state: .init(), extra: .init())
            }
        }
        #expect(reason.contains("expected the input \"port\" of type PublishSubject<Int>, got BehaviorSubject<Int>"))
    }
}
