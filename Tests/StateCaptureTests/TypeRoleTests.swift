import StateCapture
import Testing

private protocol Marked: TypeRole {}

private struct Pair<First, Second> {}
extension Pair: Marked {}

private class Ancestor: Marked {}
private final class Descendant: Ancestor {}
private final class Unmarked {}

@Suite struct TypeRoleTests {
    private func hasRole(_ type: any Any.Type) -> Bool { StateTypes.role(of: type, as: (any Marked.Type).self) != nil }

    @Test func `every form of a generic type has its role`() {
        #expect(hasRole(Pair<Int, Int>.self))
        #expect(hasRole(Pair<String, [Unmarked]>.self))
    }

    @Test func `a class inherits a role`() {
        #expect(hasRole(Descendant.self))
        #expect(!hasRole(Unmarked.self))
    }

    @Test func `a type with another role does not have this one, however often it is asked`() {
        for _ in 0..<2 {
            #expect(!hasRole([Int].self))
            #expect(!hasRole([String].self))
            #expect(!hasRole(Int?.self))
            #expect(!hasRole(Int.self))
        }
    }

    @Test func `tuples, functions and existential types have no role`() {
        #expect(!hasRole((Int, Int).self))
        #expect(!hasRole((() -> Void).self))
        #expect(!hasRole((any Marked).self))
        #expect(!hasRole(Void.self))
    }
}
