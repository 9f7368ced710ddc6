import Testing

@testable import MachineAdapters

/// Plain properties of output objects, which are read at the end of every turn.
struct StoredCellTests {
    class Base {
        let first = 1
        let second = "two"
    }

    class Empty: Base {}

    final class Derived: Empty {
        let third = [3]
        let fourth: Int? = nil
    }

    /// A value that counts which of its properties are read.
    final class Counted: CustomReflectable {
        var reads = 0

        var customMirror: Mirror {
            Mirror(
                self,
                unlabeledChildren: (0..<100).lazy.map { [unowned self] number in
                    reads += 1
                    return number
                })
        }
    }

    @Test func `a property is found by its position, those of superclasses first`() {
        let object = Derived()
        let all = ReflectedProperty.all(of: object)
        #expect(all.map(\.name) == ["first", "second", "third", "fourth"])
        for (position, property) in all.enumerated() {
            let found = ReflectedProperty.value(at: position, of: object)
            #expect("\(found ?? "nothing")" == "\(property.value)")
        }
        #expect(ReflectedProperty.value(at: 4, of: object) == nil)
    }

    @Test func `no other property is read`() {
        let counted = Counted()
        #expect(ReflectedProperty.value(at: 70, of: counted) as? Int == 70)
        #expect(counted.reads == 1)
    }
}
