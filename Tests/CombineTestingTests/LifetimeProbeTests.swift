import CombineTesting
import Testing

@Suite struct LifetimeProbeTests {
    @Test func `it reports the objects that are alive`() {
        let probe = LifetimeProbe()
        var first: LifetimeProbe.Token? = probe.token("first")
        let second = probe.token("second")
        first?.touch()
        #expect(probe.alive == ["first", "second"])
        first = nil
        #expect(probe.alive == ["second"])
        second.touch()
    }

    @Test func `a closure retains the token that it touches`() {
        let probe = LifetimeProbe()
        var closure: (() -> Void)? = { [token = probe.token("closure")] in token.touch() }
        closure?()
        #expect(probe.alive == ["closure"])
        closure = nil
        #expect(probe.alive == [])
    }
}
