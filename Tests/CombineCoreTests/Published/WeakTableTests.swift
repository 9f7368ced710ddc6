import Testing

@testable import CombineCore

@Suite struct WeakTableTests {
    private final class Object {}

    @Test func `objects are found with their values until they are released`() {
        var table = WeakTable<Int, Object, String>()
        var object: Object? = Object()
        if let object { #expect(table.insert(object, "a", for: 1) == []) }
        #expect(table[1]?.object === object)
        #expect(table[1]?.value == "a")
        #expect(table[2] == nil)
        object = nil
        #expect(table[1] == nil)
        let other = Object()
        #expect(table.insert(other, "b", for: 1) == ["a"])
        #expect(table[1]?.object === other)
    }

    @Test func `the entries of released objects are removed`() {
        var table = WeakTable<Int, Object, Int>()
        let kept = Object()
        var removed = Set(table.insert(kept, 0, for: 0))
        for number in 1...1_000 { removed.formUnion(table.insert(Object(), number, for: number)) }
        #expect(table.count <= 65)
        #expect(removed.count == 1_001 - table.count)
        #expect(!removed.contains(0))
        #expect(table[0]?.object === kept)
    }

    @Test func `an insertion looks at all entries only after as many others as objects have remained`() {
        var table = WeakTable<Int, Object, Void>()
        let objects = (0..<100).map { _ in Object() }
        for (number, object) in objects.enumerated() { _ = table.insert(object, (), for: number) }
        // The 65th insertion has looked at 65 objects, so the next one to do so is that of the 131st entry.
        for number in 100..<130 { _ = table.insert(Object(), (), for: number) }
        #expect(table.count == 130)
        _ = table.insert(Object(), (), for: 130)
        #expect(table.count <= 101)
    }
}
