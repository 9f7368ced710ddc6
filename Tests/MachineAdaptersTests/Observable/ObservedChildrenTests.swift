import CombineCore
import Testing

@testable import MachineAdapters

/// The objects that an output reads.
struct ObservedChildrenTests {
    final class Child: ObservableObject {
        @Published var value = 0
    }

    @Test func `an object at the address of a former one is observed`() throws {
        var changes = 0
        let children = ObservedChildren { changes += 1 }
        var former: Child? = Child()
        let address = former.map { ObjectIdentifier($0) }
        if let former { children.note(former) }
        children.finishReading()
        former?.value = 1
        #expect(changes == 1)
        // Frees the object, whose memory one of the next objects of its size takes.
        former = nil
        var others: [Child] = []
        while others.last.map({ ObjectIdentifier($0) }) != address, others.count < 10_000 { others.append(Child()) }
        let next = try #require(others.last)
        try #require(ObjectIdentifier(next) == address)
        children.note(next)
        children.finishReading()
        next.value = 1
        #expect(changes == 2)
    }
}
