import ComposableMacros
import Foundation

extension SharedKey where Self == FileStorageKey<[String]>.Default {
    static var words: Self { Self[.fileStorage(URL(filePath: "words.json")), default: []] }
}

struct WordList {
    @Shared(.words) var words
    @Shared(.inMemory("draft")) var draft = ""

    func add(_ word: String) {
        $words.withLock { $0.append(word) }
    }
}
