import Combine
import Dispatch
import GlossarySearch
import Granary
import MachineTesting
import RicemillAdapter
import Testing

/// A glossary that explains each word by spelling it in capitals, and takes a second to do so.
private struct SlowGlossary: Glossary {
    func explanation(of word: String) -> AnyPublisher<String?, Never> {
        Just(word.uppercased())
            .delay(for: .seconds(1), scheduler: DispatchQueue.main)
            .eraseToAnyPublisher()
    }
}

@Suite struct SearchViewModelTests {
    private let harness: HostHarness
    private let session: String

    init() throws {
        harness = try HostHarness([
            .ricemill("search", summary: "Explains a word.") { _ in
                SearchViewModel(input: .init(), store: .init(), extra: .init(glossary: SlowGlossary()))
            }
        ])
        session = harness.makeSession(of: "search")
    }

    private func type(_ word: String) {
        _ = harness.send(.post, "\(session)/inputs/word", body: "\"\(word)\"")
    }

    private var outputs: String {
        harness.send(.get, "\(session)/outputs").text
    }

    @Test func `the word is shown immediately, and its explanation when the glossary has answered`() {
        type("grain")
        #expect(outputs == #"{"word":"grain","explanation":null}"#)
        harness.loop.advance(by: .milliseconds(1299))
        #expect(outputs == #"{"word":"grain","explanation":null}"#)
        harness.loop.advance(by: .milliseconds(1))
        #expect(outputs == #"{"word":"grain","explanation":"GRAIN"}"#)
    }

    @Test func `only the last word is looked up`() {
        let stream = harness.follow(session)
        stream.read()
        for word in ["g", "gr", "grain"] {
            type(word)
            harness.loop.advance(by: .milliseconds(200))
        }
        harness.loop.advance(by: .seconds(60))
        stream.read()
        #expect(
            stream.events.map(\.data) == [
                #"{"word":"","explanation":null}"#, #"{"word":"g"}"#, #"{"word":"gr"}"#, #"{"word":"grain"}"#,
                #"{"explanation":"GRAIN"}"#,
            ])
    }
}
