import Testing

@testable import Development

struct DevelopmentStateTests {
    private static let shape = ServerProblem(
        output: "app: machine \"draft\": the shape of its state changed, the version did not: store.0.body is missing.")
    private static let other = ServerProblem(output: "app: 127.0.0.1:8080 is in use")

    /// A state after events, whose actions are of no interest.
    private func state(after events: DevelopmentState.Event...) -> DevelopmentState {
        var state = DevelopmentState()
        for event in events { _ = state.after(event) }
        return state
    }

    private func shown(_ build: Int, _ state: DevelopmentStatus.State) -> DevelopmentState.Action {
        .show(DevelopmentStatus(build: build, state: state))
    }

    @Test func `the first build is served`() {
        var state = DevelopmentState()
        #expect(state.after(.began) == [shown(0, .building), .build])
        #expect(state.after(.built(isNew: true)) == [.start])
        #expect(state.after(.serverReady) == [shown(1, .serving)])
    }

    @Test func `a changed program replaces the server`() {
        var state = state(after: .began, .built(isNew: true), .serverReady)
        #expect(state.after(.filesChanged) == [shown(1, .building), .build])
        #expect(state.after(.built(isNew: true)) == [.replace])
        #expect(state.isReplacing)
        #expect(state.after(.serverReady) == [shown(2, .serving)])
        #expect(!state.isReplacing)
    }

    @Test func `a change that leads to the same program replaces nothing`() {
        var state = state(after: .began, .built(isNew: true), .serverReady, .filesChanged)
        #expect(state.after(.built(isNew: false)) == [shown(1, .serving)])
    }

    @Test func `a failed build is shown while the server continues, until a build succeeds`() {
        var state = state(after: .began, .built(isNew: true), .serverReady, .filesChanged)
        #expect(state.after(.buildFailed("error: no")) == [shown(1, .failed("error: no"))])
        #expect(state.after(.filesChanged) == [shown(1, .building), .build])
        // Undone, so the program is the one that runs.
        #expect(state.after(.built(isNew: false)) == [shown(1, .serving)])
    }

    @Test func `a failed first build waits for a change`() {
        var state = state(after: .began)
        #expect(state.after(.buildFailed("error: no")) == [shown(0, .failed("error: no"))])
        #expect(state.after(.filesChanged) == [shown(0, .building), .build])
        #expect(state.after(.built(isNew: true)) == [.start])
    }

    @Test func `files that change during a build are built next, and the outdated program is not served`() {
        var state = state(after: .began, .built(isNew: true), .serverReady, .filesChanged)
        #expect(state.after(.filesChanged) == [])
        #expect(state.after(.filesChanged) == [])
        #expect(state.after(.built(isNew: true)) == [shown(2, .building), .build])
        #expect(state.after(.built(isNew: true)) == [.replace])
        #expect(state.after(.serverReady) == [shown(3, .serving)])
    }

    @Test func `an error of an outdated build is not shown`() {
        var state = state(after: .began, .built(isNew: true), .serverReady, .filesChanged, .filesChanged)
        #expect(state.after(.buildFailed("error: half typed")) == [shown(1, .building), .build])
    }

    @Test func `a program that an outdated build made is served although the next build changes nothing`() {
        var state = state(
            after: .began, .built(isNew: true), .serverReady, .filesChanged, .filesChanged, .built(isNew: true))
        #expect(state.after(.built(isNew: false)) == [.replace])
    }

    @Test func `a build that ends while the server is replaced replaces it again`() {
        var state = state(after: .began, .built(isNew: true), .serverReady, .filesChanged, .built(isNew: true))
        #expect(state.after(.filesChanged) == [shown(2, .building), .build])
        #expect(state.after(.built(isNew: true)) == [])
        #expect(state.after(.serverReady) == [shown(3, .serving), .replace])
    }

    @Test func `a server that is ready during a build does not look like the end of the build`() {
        var state = state(after: .began, .built(isNew: true), .filesChanged)
        #expect(state.after(.serverReady) == [])
        #expect(state.after(.built(isNew: true)) == [.replace])
    }

    @Test func `a new server that cannot start is shown, and the old one continues`() {
        var state = state(after: .began, .built(isNew: true), .serverReady, .filesChanged, .built(isNew: true))
        #expect(state.after(.serverRefused(Self.other)) == [shown(2, .failed(Self.other.text))])
        #expect(state.after(.filesChanged) == [shown(2, .building), .build])
        #expect(state.after(.built(isNew: true)) == [.replace])
    }

    @Test func `sessions that the new build cannot continue are deleted if the developer says so`() {
        var state = state(after: .began, .built(isNew: true), .serverReady, .filesChanged, .built(isNew: true))
        #expect(state.after(.serverRefused(Self.shape)) == [shown(2, .failed(Self.shape.text)), .ask(Self.shape)])
        #expect(state.after(.answered(mayDelete: true)) == [.stop])
        #expect(state.after(.serverEnded(problem: Self.other, isEarly: false)) == [.deleteSessions(machine: "draft")])
        #expect(state.after(.sessionsDeleted(error: nil)) == [.start])
        #expect(state.after(.serverReady) == [shown(2, .serving)])
    }

    @Test func `without permission, sessions stay and the old build serves`() {
        var state = state(
            after: .began, .built(isNew: true), .serverReady, .filesChanged, .built(isNew: true),
            .serverRefused(Self.shape))
        #expect(state.after(.answered(mayDelete: false)) == [])
        #expect(state.after(.answered(mayDelete: true)) == [])
    }

    @Test func `an answer that comes after the next change is ignored`() {
        var state = state(
            after: .began, .built(isNew: true), .serverReady, .filesChanged, .built(isNew: true),
            .serverRefused(Self.shape), .filesChanged)
        #expect(state.after(.answered(mayDelete: true)) == [])
        #expect(state.after(.built(isNew: true)) == [.replace])
        #expect(state.after(.answered(mayDelete: true)) == [])
    }

    @Test func `sessions of an earlier run that the build cannot continue are deleted before the first start`() {
        var state = state(after: .began, .built(isNew: true))
        #expect(
            state.after(.serverEnded(problem: Self.shape, isEarly: true))
                == [shown(1, .failed(Self.shape.text)), .ask(Self.shape)])
        #expect(state.after(.answered(mayDelete: true)) == [.deleteSessions(machine: "draft")])
        #expect(state.after(.sessionsDeleted(error: "locked")) == [shown(1, .failed("locked"))])
        #expect(state.after(.filesChanged) == [shown(1, .building), .build])
    }

    @Test func `a server that ends is started again, unless it ends at once`() {
        var state = state(after: .began, .built(isNew: true), .serverReady)
        #expect(state.after(.serverEnded(problem: Self.other, isEarly: false)) == [.start])
        #expect(state.after(.serverReady) == [shown(1, .serving)])
        #expect(state.after(.serverEnded(problem: Self.other, isEarly: true)) == [shown(1, .failed(Self.other.text))])
        #expect(state.after(.filesChanged) == [shown(1, .building), .build])
        #expect(state.after(.built(isNew: false)) == [.start])
    }

    @Test func `a server that ends during a build is followed by the new one`() {
        var state = state(after: .began, .built(isNew: true), .serverReady, .filesChanged)
        #expect(state.after(.serverEnded(problem: Self.other, isEarly: true)) == [])
        #expect(state.after(.built(isNew: true)) == [.start])
    }

    @Test func `a status that no replacement waits for means nothing`() {
        var state = state(after: .began, .built(isNew: true), .serverReady)
        // The server has loaded a certificate.
        #expect(state.after(.serverReady) == [])
        #expect(state.after(.serverRefused(Self.other)) == [])
    }

    @Test func `an interruption stops the build and the server, and waits for the server`() {
        var state = state(after: .began, .built(isNew: true), .serverReady, .filesChanged)
        #expect(state.after(.interrupted) == [.cancelBuild, .stop])
        #expect(state.after(.buildFailed("terminated")) == [])
        #expect(state.after(.filesChanged) == [])
        #expect(state.after(.interrupted) == [])
        #expect(state.after(.serverEnded(problem: Self.other, isEarly: false)) == [.exit])
        #expect(state.after(.serverEnded(problem: Self.other, isEarly: false)) == [])
    }

    @Test func `a server that takes over after the interruption is stopped, too`() {
        var state = state(after: .began, .built(isNew: true), .serverReady, .filesChanged, .built(isNew: true))
        #expect(state.after(.interrupted) == [.stop])
        #expect(state.after(.serverReady) == [.stop])
        #expect(state.after(.serverEnded(problem: Self.other, isEarly: true)) == [.exit])
        #expect(state.after(.serverReady) == [])
    }

    @Test func `an interruption without a server ends at once`() {
        var state = state(after: .began)
        #expect(state.after(.interrupted) == [.cancelBuild, .exit])
    }
}
