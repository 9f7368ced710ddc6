import CombineCore
import DemoMachines
import Foundation
import Ricemill
import StateCapture

// Measures what the capture of a machine costs after each turn, in nanoseconds of processor time, and prints JSON:
// the time of a turn with its capture minus that of the turn alone.

/// A store with ten properties.
final class TenProperties {
    @Published var a = 0
    @Published var b = 0
    @Published var c = 0
    @Published var d = 0
    @Published var e = 0
    @Published var f = 0
    @Published var g = 0
    @Published var h = 0
    @Published var i = 0
    @Published var j = 0

    func setAll(_ number: Int) {
        (a, b, c, d, e) = (number, number, number, number, number)
        (f, g, h, i, j) = (number, number, number, number, number)
    }
}

/// A registry with the turns that change its machine.
struct Subject {
    let name: String
    let registry: StateRegistry
    let turn: (Int) -> Void
}

func makeSubjects() -> [Subject] {
    func properties(_ name: String, _ turn: @escaping (TenProperties, Int) -> Void) -> Subject {
        let registry = StateRegistry(clockOffset: 0)
        let store = TenProperties()
        registry.wire { registry.registerMembers(of: store, named: "store") }
        return Subject(name: name, registry: registry) { turn(store, $0) }
    }
    let registry = StateRegistry(clockOffset: 0)
    let counter = registry.wire { CounterViewModel(input: .init(), store: .init(), extra: .init()) }
    return [
        properties("none") { _, _ in },
        properties("one") { $0.a = $1 },
        properties("ten") { $0.setAll($1) },
        Subject(name: "counter", registry: registry) { _ in counter.input.increment.send() },
    ]
}

/// Returns the nanoseconds of a turn.
func cost(of subject: Subject, count: Int, captures: Bool) throws -> Double {
    var bytes: [UInt8] = []
    let begin = threadNanoseconds()
    for number in 0..<count {
        subject.turn(number)
        guard captures else { continue }
        bytes.removeAll(keepingCapacity: true)
        _ = try subject.registry.appendChanges(to: &bytes)
    }
    return Double(threadNanoseconds() - begin) / Double(count)
}

func threadNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

let rounds = 15
let turns = 20_000
var found: [String: Double] = [:]
for subject in makeSubjects() {
    var differences: [Double] = []
    for _ in 0..<rounds {
        let alone = try cost(of: subject, count: turns, captures: false)
        differences.append(try cost(of: subject, count: turns, captures: true) - alone)
    }
    found[subject.name] = differences.sorted()[rounds / 2]
}
let text = found.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \(($0.value * 10).rounded() / 10)" }
print("{\(text.joined(separator: ", "))}")
