import Combine
import Dispatch
import Ricemill

/// Explains a word while the user types it.
public final class SearchViewModel: PrimitiveMachine<SearchViewModel>, ResolverType {
    public typealias Output = Store

    public struct Input: InputType {
        /// The text of the search field.
        public let word = PassthroughSubject<String, Never>()

        public init() {}
    }

    public final class Store: StoredOutputType {
        /// The word that the user typed last.
        @Published public var word = ""
        /// The explanation of a word, or `nil` if none exists.
        @Published public var explanation: String?

        public init() {}
    }

    public struct Extra: ExtraType {
        let glossary: any Glossary

        public init(glossary: any Glossary) {
            self.glossary = glossary
        }
    }

    public static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        let explanation = input.word
            .debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
            .map { word in extra.glossary.explanation(of: word) }
            .switchToLatest()
            .receive(on: DispatchQueue.main)
        return Polished(cancellables: [
            input.word.assign(to: \.word, on: store),
            explanation.assign(to: \.explanation, on: store),
        ])
    }
}
