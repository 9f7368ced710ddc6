import CHeap
import CombineCore

/// An object that is retained many times to measure its memory.
struct Holding: Sendable {
    let name: String
    /// Creates one: the subject, and the token of its subscriber if it has one.
    let make: @Sendable () -> (AnyObject, AnyCancellable?)
}

let holdings = [
    Holding(name: "bare subject") {
        (PassthroughSubject<Int, Never>(), nil)
    },
    Holding(name: "subject + sink") {
        let subject = PassthroughSubject<Int, Never>()
        return (subject, subject.sink { _ in })
    },
    Holding(name: "subject + map → filter → map → sink") {
        let subject = PassthroughSubject<Int, Never>()
        return (subject, subject.map { $0 &+ 1 }.filter { $0 > 0 }.map { $0 &* 2 }.sink { _ in })
    },
    Holding(name: "subject + scan → removeDuplicates → first → sink") {
        let subject = PassthroughSubject<Int, Never>()
        let first = subject.scan(0) { $0 &+ $1 }.removeDuplicates().first { $0 > 100 }
        return (subject, first.sink { _ in })
    },
]

/// The memory of one of many objects.
struct Weight: Codable {
    var name: String
    var bytes: Double
    /// `nil` if allocations are not counted.
    var allocations: Double?
}

extension Holding {
    /// Retains `count` objects and measures the growth of the heap. The array for them is allocated before.
    func weigh(_ count: Int) -> Weight {
        var subjects = [AnyObject?](repeating: nil, count: count)
        var tokens = [AnyCancellable?](repeating: nil, count: count)
        // The first object also allocates the metadata that all objects of the type share.
        withExtendedLifetime(make()) {}
        let (bytes, allocations) = (Self.heap, Allocations.count)
        for index in 0..<count { (subjects[index], tokens[index]) = make() }
        let grown = Self.heap - bytes
        let asked = Allocations.count.flatMap { now in allocations.map { now - $0 } }
        withExtendedLifetime((subjects, tokens)) {}
        return Weight(
            name: name, bytes: Double(grown) / Double(count), allocations: asked.map { Double($0) / Double(count) })
    }

    private static var heap: Int { Int(heap_bytes_in_use()) }
}
