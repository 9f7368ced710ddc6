import ComposableMacros
import Testing

struct DependencyClientTests {
    /// The messages of the issues that a closure causes.
    private func issues(_ body: () async throws -> Void) async rethrows -> [String] {
        final class Messages: @unchecked Sendable { var texts: [String] = [] }
        let messages = Messages()
        try await withIssueHandler({ messages.texts.append($0.message) }, body: body)
        return messages.texts
    }

    @Test func `an overridden function is called with its labels`() async {
        let store = TestStore(initialState: Counter.State(id: 0, count: 3)) {
            Counter()
        } withDependencies: {
            $0.facts.fetch = { "\($0) is odd" }
        }
        await store.send(\.factButtonTapped)
        await store.receive(\.factResponse, "3 is odd") { $0.fact = "3 is odd" }
        await store.finish()
    }

    @Test func `a function that is not implemented fails the test and throws`() async {
        let found = await issues {
            await #expect(throws: Unimplemented.self) { try await FactClient().fetch(about: 1) }
        }
        #expect(found.count == 1)
        #expect(found.first?.contains("called \"fetch\" of FactClient") == true)
    }

    @Test func `the issue is attributed to the property of the client`() {
        let found = LockIsolated<[UInt]>([])
        withIssueHandler { issue in
            found.withValue { $0.append("\(issue.file)".hasSuffix("/DependencyClientTests.swift") ? issue.line : 0) }
        } body: {
            _ = PlacedClient().limit()
        }
        #expect(found.value == [PlacedClient.line + 2])
    }

    @Test func `a function without a result only reports`() async {
        let found = await issues { FactClient().log("a") }
        #expect(found.count == 1)
    }

    @Test func `a default value is returned and reported`() async {
        let found = await issues { #expect(FactClient().limit() == 10) }
        #expect(found.count == 1)
    }

    @Test func `the initializer implements all functions`() async throws {
        let client = FactClient(fetch: { "\($0)" }, log: { _ in }, limit: { 1 })
        #expect(try await client.fetch(about: 2) == "2")
        #expect(client.limit() == 1)
    }

    @Test func `the initializer sets functions with defaults last`() {
        let client = NamedClient(limit: { 2 }, name: "a")
        #expect(client.limit() == 2)
        #expect(client.name == "a")
        #expect(client.suffix == nil)
    }

    @Test func `an initializer sets the properties other than the functions`() async {
        let client = NamedClient(name: "a", suffix: "b")
        #expect(client.name == "a")
        #expect(client.suffix == "b")
        let found = await issues {
            #expect(client.limit() == 1)
            #if DEBUG
                client.note()
            #endif
        }
        #expect(found.count == NamedClient.functionCount)
    }
}

@DependencyClient
private struct NamedClient {
    var limit: () -> Int = { 1 }
    let name: String
    let suffix: String?
    #if DEBUG
        var note:
            @Sendable ()
                -> Void
        static let functionCount = 2
    #else
        static let functionCount = 1
    #endif
}

@DependencyClient
private struct PlacedClient {
    static let line: UInt = #line

    var limit: () -> Int = { 1 }
}
