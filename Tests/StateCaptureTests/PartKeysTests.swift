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

    @Test func `sessions share the first JSON with a key, unless it is long`() {
        func address(_ json: [UInt8]) -> UnsafeRawPointer? { json.withUnsafeBytes { $0.baseAddress } }
        let key = PartKeys().make("shared.text.0")
        func long() -> [UInt8] { [UInt8](repeating: 0, count: 1000) }
        // Kept, so that no address is used again.
        let first = [key.shared([1, 2]), key.shared([1, 2]), PartKeys().make("shared.text.0").shared([1, 2])]
        let others = [key.shared([3]), key.shared([3]), key.shared(long()[...]), key.shared(long()[...])]
        #expect(Set(first.map(address)).count == 1)
        #expect(Set(others.map(address)).count == 4)
        #expect(first.allSatisfy { $0 == [1, 2] } && others == [[3], [3], long(), long()])
    }

    @Test func `sessions share the keys of members, but not those inside of scopes`() throws {
        struct Pair: Sendable {
            var one = 1
            var two = 2
        }
        let layout = MemberLayout.of(Pair.self, transient: [], scope: .all)
        var keys = PartKeys()
        let shared = layout.keys(named: "pair.0", keys)
        #expect(shared.map(\.text) == ["pair.0.one", "pair.0.two"])
        #expect(zip(shared, layout.keys(named: "pair.0", PartKeys())).allSatisfy { $0 === $1 })
        #expect(layout.keys(named: "pair.1", keys).map(\.text) == ["pair.1.one", "pair.1.two"])
        _ = keys.enter("scope.0/")
        let scoped = layout.keys(named: "scope.0/pair.0", keys)
        #expect(scoped.map(\.text) == ["scope.0/pair.0.one", "scope.0/pair.0.two"])
        #expect(zip(scoped, layout.keys(named: "scope.0/pair.0", keys)).allSatisfy { $0 !== $1 })
    }
}
