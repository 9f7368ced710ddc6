import CaptureTesting
import RxCore
import StateCapture

/// A pipeline in a session that can be captured and restored in another process.
///
/// The two inputs are members of the machine. The output is recorded with its times.
final class CapturedPipeline {
    final class Inputs {
        let a = PublishSubject<Int>()
        let b = PublishSubject<Int>()
    }

    typealias Wire = (Inputs) -> Observable<String>

    let registry: StateRegistry
    let main: SessionMain
    // Assigned by the wiring.
    private var inputs = Inputs()
    private let bag = DisposeBag()
    private let wallOffset: Duration
    /// The captured state, as the last changes of each part.
    private(set) var stored: [String: ArraySlice<UInt8>]
    private(set) var log: [String]
    private(set) var unknownParts: [String] = []

    /// Wires a new pipeline at the wall time 1,000 s.
    ///
    /// - Parameters:
    ///   - transient: The names of operators that are not captured.
    ///   - wire: Wires the pipeline.
    convenience init(transient: Set<String> = [], _ wire: Wire) {
        self.init(wire, transient, wall: .seconds(1_000), stored: nil, log: [])
    }

    private init(
        _ wire: Wire, _ transient: Set<String>, wall: Duration, stored: [String: ArraySlice<UInt8>]?, log: [String]
    ) {
        // Another origin for each session, as in another process.
        let main = SessionMain(now: stored == nil ? .seconds(50) : .seconds(7))
        let offset = wall - main.now
        let nanoseconds = Self.nanoseconds(offset)
        registry =
            stored.map { StateRegistry(restoring: $0, clockOffset: nanoseconds) }
            ?? StateRegistry(clockOffset: nanoseconds)
        registry.transient = transient
        self.main = main
        self.stored = stored ?? [:]
        self.log = log
        wallOffset = offset
        main.turn {
            registry.wire {
                let inputs = Inputs()
                registry.registerMembers(of: inputs, named: "inputs")
                self.inputs = inputs
                let output = wire(inputs)
                output.subscribe { [unowned self] event in record(event) }.disposed(by: bag)
            }
            unknownParts = stored == nil ? [] : registry.resume()
        }
        capture()
    }

    /// Discards the session and restores it from what was captured, after a pause.
    func restarted(after pause: Duration = .zero, _ wire: Wire) -> CapturedPipeline {
        // Not disposed of: a process that ends disposes of nothing.
        return CapturedPipeline(wire, registry.transient, wall: wallOffset + main.now + pause, stored: stored, log: log)
    }

    enum Step: CustomStringConvertible {
        case send(Int, toB: Bool)
        case complete(b: Bool)
        case advance(milliseconds: Int)

        var description: String {
            switch self {
            case .send(let value, let toB): "\(toB ? "b" : "a") \(value)"
            case .complete(let b): "\(b ? "b" : "a") completes"
            case .advance(let time): "\(time) ms"
            }
        }
    }

    func perform(_ step: Step) {
        switch step {
        case .send(let value, let toB): main.turn { (toB ? inputs.b : inputs.a).onNext(value) }
        case .complete(let b): main.turn { (b ? inputs.b : inputs.a).onCompleted() }
        case .advance(let time): main.advance(by: .milliseconds(time))
        }
        capture()
    }

    /// Appends what has changed. Returns the number of changes.
    @discardableResult
    func capture() -> Int {
        var bytes: [UInt8] = []
        do {
            let count = try registry.appendChanges(to: &bytes)
            for (key, json) in StateChanges(bytes[...]) { stored[key] = json }
            return count
        } catch {
            log.append("cannot be captured: \(error)")
            return 0
        }
    }

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        duration.components.seconds * 1_000_000_000 + duration.components.attoseconds / 1_000_000_000
    }

    private func record(_ event: Event<String>) {
        let time = Self.nanoseconds(wallOffset + main.now) / 1_000_000 - 1_000_000
        switch event {
        case .next(let element): log.append("\(time) \(element)")
        case .error(let error): log.append("\(time) error \(error)")
        case .completed: log.append("\(time) completed")
        }
    }
}
