import GlossarySearch
import Granary
import RicemillAdapter

await serve(
    name: "glossary-server", version: "1.0.0",
    page: Page(content: "<h2>Glossary</h2><p>Open the machine below and look up <q>granary</q>.</p>")
) { _ in
    [
        try .ricemill("search", summary: "Explains a word while you type it.") { _ in
            SearchViewModel(input: .init(), store: .init(), extra: .init(glossary: BuiltInGlossary()))
        }
    ]
}
