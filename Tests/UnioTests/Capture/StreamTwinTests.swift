import CaptureTesting
import CombineCore
import RxCore
import StateCapture
import Testing
import Unio

/// Streams that are captured, discarded and restored continue as if nothing had happened.
struct StreamTwinTests {
    @Test(arguments: 1...40)
    func `a restored stream continues`(seed: Int) {
        check(seed: seed, TallySession.init)
    }

    @Test(arguments: 1...40)
    func `a restored stream with nested streams continues`(seed: Int) {
        check(seed: seed, PairSession.init)
    }

    @Test func `a member that is not Codable is named`() {
        final class Token {}
        final class TokenState: StateType {
            let token = BehaviorRelay(value: Token())
            let name = BehaviorRelay(value: "")
        }
        let registry = StateRegistry(clockOffset: 0)
        registry.wire {
            _ = PrimitiveStream<OpaqueLogic<TokenState>>(input: .init(), state: TokenState(), extra: .init())
        }
        #expect(registry.obstacles.map(\.part) == ["TokenState.token"])
        #expect(registry.obstacles.first?.type.hasSuffix("Token") == true)
    }

    private func check<Session: TwinSession>(
        seed: Int, _ make: ([String: ArraySlice<UInt8>]?, Duration) -> Session
    ) {
        var random = SeededGenerator(seed: UInt64(seed))
        let session = make(nil, .seconds(1))
        var twin = make(nil, .seconds(1))
        for _ in 0..<25 {
            if Int.random(in: 0..<3, using: &random) == 0 {
                let (stored, log) = (twin.life.stored, twin.life.log)
                twin = make(stored, twin.life.main.now)
                twin.life.log = log
                #expect(twin.life.registry.mismatches == [])
                #expect(twin.life.unknownParts == [])
            }
            let (kind, value) = (Int.random(in: 0..<6, using: &random), Int.random(in: 1...60, using: &random))
            session.perform(kind, value)
            twin.perform(kind, value)
            session.life.capture()
            twin.life.capture()
            #expect(twin.life.capture() == 0, "nothing happened since the last capture")
            #expect(twin.life.log == session.life.log)
            #expect(twin.values == session.values)
        }
        #expect(session.life.registry.obstacles == [])
    }
}

/// A logic without behavior.
private enum OpaqueLogic<Kept: StateType>: LogicType {
    struct Input: InputType {}
    struct Output: OutputType {}
    typealias State = Kept
    typealias Extra = NoExtra

    static func bind(from dependency: Dependency<Input, Kept, NoExtra>, disposeBag: DisposeBag) -> Output {
        Output()
    }
}

/// What the sessions of both streams have in common.
private final class SessionLife {
    let registry: StateRegistry
    let main: SessionMain
    var stored: [String: ArraySlice<UInt8>]
    var log: [String] = []
    var unknownParts: [String] = []
    private let bag = DisposeBag()

    init(restoring stored: [String: ArraySlice<UInt8>]?, now: Duration) {
        registry = stored.map { StateRegistry(restoring: $0, clockOffset: 0) } ?? StateRegistry(clockOffset: 0)
        main = SessionMain(now: now)
        self.stored = stored ?? [:]
    }

    func wire(_ body: () -> Void) {
        main.turn {
            registry.wire(body)
            unknownParts = stored.isEmpty ? [] : registry.resume()
        }
        capture()
    }

    func record<Element>(_ name: String, _ output: Observable<Element>) {
        output.subscribe(onNext: { [unowned self] in log.append("\(name) \($0)") }).disposed(by: bag)
    }

    @discardableResult
    func capture() -> Int {
        var bytes: [UInt8] = []
        let count = (try? registry.appendChanges(to: &bytes)) ?? 0
        for (key, json) in StateChanges(bytes[...]) { stored[key] = json }
        return count
    }
}

private protocol TwinSession {
    var life: SessionLife { get }
    var values: [Int] { get }

    func perform(_ kind: Int, _ value: Int)
}

private struct TallySession: TwinSession {
    let life: SessionLife
    let stream: TallyStream

    init(restoring stored: [String: ArraySlice<UInt8>]?, now: Duration) {
        let life = SessionLife(restoring: stored, now: now)
        var made: TallyStream?
        life.wire {
            // The limit is a parameter of the first life only.
            let stream = TallyStream(input: .init(), state: .init(limit: stored == nil ? 90 : 0), extra: .init())
            life.record("total", stream.output.total)
            life.record("settled", stream.output.settled)
            life.record("changes", stream.output.changes)
            made = stream
        }
        self.life = life
        stream = made ?? TallyStream(input: .init(), state: .init(limit: 0), extra: .init())
    }

    var values: [Int] { [stream.output.total.value, stream.output.own.value] }

    func perform(_ kind: Int, _ value: Int) {
        switch kind {
        case 0: life.main.turn { stream.input.reset.onNext(()) }
        case 1...3: life.main.turn { stream.input.add(value % 7) }
        default: life.main.advance(by: .milliseconds(value))
        }
    }
}

private struct PairSession: TwinSession {
    let life: SessionLife
    let stream: PairStream
    let left: TallyStream
    let right: TallyStream

    init(restoring stored: [String: ArraySlice<UInt8>]?, now: Duration) {
        let life = SessionLife(restoring: stored, now: now)
        var made: (PairStream, TallyStream, TallyStream)?
        life.wire {
            let left = TallyStream(input: .init(), state: .init(limit: 50), extra: .init())
            let right = TallyStream(input: .init(), state: .init(limit: 100), extra: .init())
            let stream = PairStream(
                input: .init(), state: .init(), extra: .init(left: left, right: right), logic: .init())
            life.record("sum", stream.output.sum)
            life.record("left", left.output.changes)
            life.record("right", right.output.changes)
            made = (stream, left, right)
        }
        self.life = life
        guard let made else { preconditionFailure("expected a wiring") }
        (stream, left, right) = made
    }

    var values: [Int] {
        [left.output.total.value, right.output.own.value, stream.output.isSwapped.value ? 1 : 0]
    }

    func perform(_ kind: Int, _ value: Int) {
        switch kind {
        case 0: life.main.turn { stream.input.swap(()) }
        case 1...2: life.main.turn { left.input.add(value % 7) }
        case 3: life.main.turn { right.input.add(value % 5) }
        case 4: life.main.turn { right.input.reset.onNext(()) }
        default: life.main.turn { left.input.add(1) }
        }
    }
}
