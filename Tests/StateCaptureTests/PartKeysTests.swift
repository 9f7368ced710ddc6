import Locking
import Testing

@testable import StateCapture

@Suite struct PartKeysTests {
    @Test func `parts with one name have numbers`() {
        var keys = PartKeys()
        let made = [keys.next("a"), keys.next("b"), keys.next("a")]
        #expect(made == ["a.0", "b.0", "a.1"])
    }

    @Test func `sessions share the keys of their parts, but not those inside of scopes`() {
        var keys = PartKeys()
        #expect(PartKeys().make("a.0") === keys.make("a.0"))
        _ = keys.enter("scope.0/")
        #expect(keys.make("scope.0/a.0") !== keys.make("scope.0/a.0"))
        #expect(keys.make("scope.0/a.0").text == "scope.0/a.0")
    }

    @Test func `keys that are made after others were shared go on with the numbers`() {
        func wired() -> PartKeys {
            var keys = PartKeys()
            _ = [keys.next("shared"), keys.next("shared")]
            keys.share()
            return keys
        }
        var (one, other) = (wired(), wired())
        #expect(one.next("shared") == "shared.2")
        #expect(one.next("shared") == "shared.3")
        #expect(other.next("shared") == "shared.2")
        var third = wired()
        #expect(third.next("shared") == "shared.2")
    }

    @Test func `sessions share the numbers outside of scopes only`() {
        func wired() {
            var keys = PartKeys()
            _ = keys.next("outside")
            let outer = keys.enter("scope.0/")
            _ = keys.next("inside")
            keys.leave(to: outer)
            keys.share()
        }
        wired()
        wired()
        let known = PartKeys.known.withLock { $0.filter { $0["outside"] != nil } }
        #expect(known == [["outside": 1]])
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
