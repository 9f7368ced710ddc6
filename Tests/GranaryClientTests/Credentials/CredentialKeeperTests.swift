import Testing

@testable import GranaryClient

struct CredentialKeeperTests {
    private let renewing = CredentialSource.renewing { .bearer("unused") }
    private let first = Credential.bearer("1", validFor: .seconds(300))
    private let second = Credential.bearer("2", validFor: .seconds(300))

    @Test func `without a source, requests have no credential, and none can be renewed`() {
        var keeper = CredentialKeeper(.none)
        #expect(keeper.need() == .use(nil))
        #expect(keeper.rejected(generation: 0) == .unavailable)
        #expect(keeper.isDue() == false)
    }

    @Test func `a fixed credential cannot be renewed`() {
        var keeper = CredentialKeeper(.fixed(first))
        #expect(keeper.need() == .use(first))
        #expect(keeper.rejected(generation: 0) == .unavailable)
    }

    @Test func `the first request fetches the credential, and the others wait for it`() {
        var keeper = CredentialKeeper(renewing)
        #expect(keeper.need() == .fetch)
        #expect(keeper.need() == .wait)
        #expect(keeper.obtained(first, at: .zero) == .seconds(240))
        #expect(keeper.need() == .use(first))
    }

    @Test func `one renewal takes the place of a rejected credential, however many requests had it`() {
        var keeper = CredentialKeeper(renewing)
        _ = keeper.need()
        _ = keeper.obtained(first, at: .zero)
        let generation = keeper.generation
        #expect(keeper.rejected(generation: generation) == .fetch)
        #expect(keeper.rejected(generation: generation) == .wait)
        _ = keeper.obtained(second, at: .zero)
        // This request was sent before the renewal.
        #expect(keeper.rejected(generation: generation) == .use(second))
        #expect(keeper.rejected(generation: generation + 1) == .fetch)
    }

    @Test func `a credential is renewed ahead of its expiry, while requests still use it`() {
        var keeper = CredentialKeeper(renewing)
        _ = keeper.need()
        #expect(keeper.obtained(.bearer("1", validFor: .seconds(3600)), at: .zero) == .seconds(3540))
        #expect(keeper.isDue() == true)
        #expect(keeper.isDue() == false)
        #expect(keeper.need() == .use(.bearer("1", validFor: .seconds(3600))))
        _ = keeper.obtained(second, at: .seconds(3540))
        #expect(keeper.need() == .use(second))
    }

    @Test func `a renewal ahead of time is tried again a few times, and then when a request needs it`() {
        var keeper = CredentialKeeper(renewing)
        _ = keeper.need()
        _ = keeper.obtained(first, at: .zero)
        #expect(keeper.isDue() == true)
        #expect(keeper.failed(at: .seconds(240)) == .seconds(30))
        #expect(keeper.isDue() == true)
        #expect(keeper.failed(at: .seconds(270)) == .seconds(15))
        #expect(keeper.isDue() == true)
        #expect(keeper.failed(at: .seconds(285)) == nil)
        #expect(keeper.rejected(generation: keeper.generation) == .fetch)
    }

    @Test(arguments: [Duration.zero, .seconds(-5), .seconds(4)])
    func `a credential that expires at once is not renewed ahead`(validity: Duration) {
        var keeper = CredentialKeeper(renewing)
        _ = keeper.need()
        #expect(keeper.obtained(.bearer("1", validFor: validity), at: .zero) == nil)
    }

    @Test func `a failed renewal is begun again by the next request`() {
        var keeper = CredentialKeeper(renewing)
        #expect(keeper.need() == .fetch)
        #expect(keeper.failed(at: .zero) == nil)
        #expect(keeper.need() == .fetch)
    }

    @Test(arguments: ["a\r\nX-Other: b", "a\nb", "a\u{0}", "ä", "a\u{7F}"])
    func `a credential cannot add a field to a request`(token: String) {
        #expect(!Credential.bearer(token).isValid)
        #expect(Credential.bearer("eyJ.abc-_~+/=").isValid)
        #expect(Credential.ticket("t").authorization == "Ticket t")
    }
}
