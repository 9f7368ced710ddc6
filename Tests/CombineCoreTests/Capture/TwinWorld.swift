import CaptureTesting
import CombineCore
import CombineTesting
import Dispatch
import StateCapture

/// A machine for the tests of captured state: subjects as inputs, the pipelines of a test, and a log of what they deliver
/// with the wall time. Its clock is virtual and starts at another time in each life.
final class TwinWorld {
    let a = PassthroughSubject<Int, Never>()
    let b = PassthroughSubject<Int, Never>()
    let failing = PassthroughSubject<Int, TestError>()
    let signal = PassthroughSubject<Void, Never>()
    let current = CurrentValueSubject<Int, Never>(7)
    let published = PublishedHolder()

    let main: VirtualMain
    private let offset: Int64
    private(set) var log: [String] = []
    private(set) var tokens: [AnyCancellable] = []
    private(set) var pulls: [PullingSubscriber] = []
    let registry: StateRegistry
    private var isMuted = false
    private let threads = AlternatingThread()

    /// The state that the host keeps for a restored machine.
    struct Snapshot {
        var parts: [String: ArraySlice<UInt8>] = [:]
        var wall: Duration
        var outstanding: [Int] = []
    }

    private(set) var snapshot: Snapshot

    /// Returns whether the caller is in a turn.
    private static let isOnLoop: @Sendable () -> Bool = { MainContext.current != nil }

    /// Creates a new machine.
    init(wire: (TwinWorld) -> Void) {
        main = VirtualMain()
        offset = 1_700_000_000_000_000_000
        snapshot = Snapshot(wall: main.now + .nanoseconds(offset))
        registry = StateRegistry(clockOffset: offset, isOnLoop: TwinWorld.isOnLoop)
        registerMembers { wire($0) }
        capture()
    }

    /// Creates a machine from the state of another one.
    init(_ snapshot: Snapshot, clock: Duration, wire: (TwinWorld) -> Void) {
        main = VirtualMain(now: clock)
        offset = TwinWorld.nanoseconds(snapshot.wall - clock)
        self.snapshot = snapshot
        registry = StateRegistry(restoring: snapshot.parts, clockOffset: offset, isOnLoop: TwinWorld.isOnLoop)
        isMuted = true
        registerMembers { wire($0) }
        staleKeys = MainContext.with(main) { registry.resume() }
        capture()
        isMuted = false
    }

    private(set) var staleKeys: [String] = []

    private func registerMembers(_ wire: (TwinWorld) -> Void) {
        MainContext.with(main) {
            registry.wire {
                registry.registerMembers(of: published, named: "published")
                registry.register(holder: current, named: "current")
                registry.register(holder: a, named: "a")
                registry.register(holder: b, named: "b")
                wire(self)
            }
        }
    }

    /// Logs the events of a pipeline.
    func log<P: Publisher>(_ publisher: P) {
        let index = tokens.count
        tokens.append(
            publisher.sink { [unowned self] in
                add("\(index): \($0)")
            } receiveValue: { [unowned self] in
                add("\(index): \($0)")
            })
    }

    /// Logs the values of a pipeline that a test requests one by one.
    func pull<P: Publisher>(_ publisher: P) {
        let index = pulls.count
        let outstanding = snapshot.outstanding.indices.contains(index) ? snapshot.outstanding[index] : 0
        let subscriber = PullingSubscriber(outstanding: outstanding) { [unowned self] in
            // This subscriber is not captured. It receives the end of a stream again.
            if !isMuted || !$0.hasPrefix("end") { add("pull \(index): \($0)") }
        }
        pulls.append(subscriber)
        publisher.map { "\($0)" }.mapError { $0 as any Error }.receive(subscriber: subscriber)
    }

    /// Keeps a token until the end of the machine.
    func keep(_ token: AnyCancellable) { kept.append(token) }

    private var kept: [AnyCancellable] = []

    private func add(_ text: String) {
        let wall = main.now + .nanoseconds(offset)
        log.append("\(TwinWorld.nanoseconds(wall) / 1_000_000 % 100_000_000) \(text)\(isMuted ? " while wiring" : "")")
    }

    /// Runs a turn and captures what it has changed.
    func turn(_ body: () -> Void) {
        threads.run { MainContext.with(main, body) }
        capture()
    }

    /// The number of states that the last turn has changed.
    var lastCount: Int { changes.count }
    var lastChanges: [String] {
        changes.map { "\($0.key) = \(String(decoding: $0.json, as: UTF8.self))" }
    }
    private var changes: [(key: String, json: ArraySlice<UInt8>)] = []

    func capture() {
        var bytes: [UInt8] = []
        do {
            _ = try MainContext.with(main) { try registry.appendChanges(to: &bytes) }
        } catch {
            log.append("capture failed: \(error)")
        }
        changes = []
        for change in StateChanges(bytes[...]) {
            let former = snapshot.parts.updateValue(change.json, forKey: change.key)
            // The places of subscribers move up when a machine is restored, in the same order.
            if change.key.contains("Subject"), let former, former.count > 4, change.json.count > 4 { continue }
            // A cancellation that was waiting for a scheduler has taken effect.
            if isMuted, change.json.elementsEqual("null".utf8) { continue }
            changes.append((change.key, change.json))
        }
        snapshot.wall = main.now + .nanoseconds(offset)
        snapshot.outstanding = pulls.map(\.outstanding)
    }

    static func nanoseconds(_ duration: Duration) -> Int64 {
        duration.components.seconds * 1_000_000_000 + duration.components.attoseconds / 1_000_000_000
    }
}

/// An object with a published property.
final class PublishedHolder: ObservableObject {
    @Published var number = 3
}

/// A subscriber that requests what a test asks for.
final class PullingSubscriber: Subscriber {
    private var subscription: (any Subscription)?
    private(set) var outstanding: Int
    private let log: (String) -> Void

    init(outstanding: Int, _ log: @escaping (String) -> Void) {
        self.outstanding = outstanding
        self.log = log
    }

    func receive(subscription: any Subscription) {
        self.subscription = subscription
        if outstanding > 0 { subscription.request(.max(outstanding)) }
    }

    func receive(_ input: String) -> Subscribers.Demand {
        outstanding -= 1
        log(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<any Error>) {
        log("end: \(completion)")
        outstanding = 0
    }

    func request(_ count: Int) {
        outstanding += count
        subscription?.request(.max(count))
    }
}
