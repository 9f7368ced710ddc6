import Testing

@testable import StateCapture

@Suite struct PartKeysTests {
    @Test func `parts with one name have numbers`() {
        var keys = PartKeys()
        let made = [keys.next("a"), keys.next("b"), keys.next("a")]
        #expect(made == ["a.0", "b.0", "a.1"])
    }

    @Test func `the keys of a scope do not depend on what is outside of it`() {
        var keys = PartKeys()
        let outer = keys.enter("scope.0/")
        let inside = [keys.next("a"), keys.next("a")]
        keys.leave(to: outer)
        let outside = keys.next("a")
        #expect(inside == ["scope.0/a.0", "scope.0/a.1"])
        #expect(outside == "a.0")
    }

    @Test func `a scope that restarts makes its keys again, and those of the scopes inside of it`() {
        var keys = PartKeys()
        _ = keys.next("a")
        let outer = keys.enter("s/")
        let inner = keys.enter("s/t/")
        let first = keys.next("a")
        keys.leave(to: inner)
        keys.leave(to: outer)
        let results = [keys.restart("s/"), keys.restart("s/"), keys.restart("s/t/")]
        #expect(results == [true, false, false])
        _ = keys.enter("s/t/")
        let second = keys.next("a")
        keys.leave(to: "")
        let outside = keys.next("a")
        #expect(first == second)
        #expect(outside == "a.1")
    }

    @Test func `a scope inside of too many others is too deep`() {
        var keys = PartKeys()
        _ = keys.enter(String(repeating: "x", count: 511))
        #expect(!keys.isTooDeep)
        _ = keys.enter(String(repeating: "x", count: 512))
        #expect(keys.isTooDeep)
    }
}
