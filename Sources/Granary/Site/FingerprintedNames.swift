import HTTPServer

/// Names that say what is in the files: `/main.js` is also `/main.3w5e11264sgsf.js`, and at that path there will never be
/// anything else, so that clients may keep it for good. Files name one another by such names, so each is given its own
/// once those that it names have theirs.
struct FingerprintedNames {
    private static let quote = UInt8(ascii: "\"")

    private let sources: [String: [UInt8]]
    private var finished: [String: (name: String, content: [UInt8])] = [:]
    private var begun: Set<String> = []

    /// Names for these files; pages, which people find by their paths, are no part of them.
    init(_ files: [SiteFile]) {
        sources = Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.content) })
        for file in files { _ = finish(file.path) }
    }

    /// The path that says what is in the file; `nil` for one that is not among those that were given, or that names itself
    /// in a circle and so cannot have one.
    func name(of path: String) -> String? { finished[path]?.name }

    /// A file's content with the names of other files in it.
    func content(of path: String) -> [UInt8]? { finished[path]?.content ?? sources[path] }

    /// Content that is no such file, a page, with their names in it.
    func naming(_ content: [UInt8]) -> [UInt8] {
        FingerprintedNames.rewritten(content) { finished[$0]?.name }
    }

    /// The path without the fingerprint before its last dot; `nil` if there is nothing that could be one.
    static func plainPath(of path: Substring) -> String? {
        guard let dot = path.lastIndex(of: "."), let mark = path[..<dot].lastIndex(of: ".") else { return nil }
        return String(path[..<mark] + path[dot...])
    }

    private mutating func finish(_ path: String) -> String? {
        if let finished = finished[path] { return finished.name }
        guard let source = sources[path], begun.insert(path).inserted else { return nil }
        let content = FingerprintedNames.rewritten(source) { finish($0) }
        let name = FingerprintedNames.name(of: path, StaticContent.fingerprint(of: content))
        finished[path] = (name, content)
        return name
    }

    /// The path with the fingerprint before its last dot.
    private static func name(of path: String, _ fingerprint: String) -> String {
        guard let dot = path.lastIndex(of: ".") else { return "\(path).\(fingerprint)" }
        return "\(path[..<dot]).\(fingerprint)\(path[dot...])"
    }

    /// Puts another name in the place of each that stands in quotes, as `"/main.js"` in pages and as `from "./main.js"` in
    /// scripts; the types in comments, `import("./main.js")`, are nothing that a browser asks for.
    private static func rewritten(_ content: [UInt8], _ name: (String) -> String?) -> [UInt8] {
        let parts = content.split(separator: quote, omittingEmptySubsequences: false)
        var rewritten: [UInt8] = []
        for (index, part) in parts.enumerated() {
            if index > 0 { rewritten.append(quote) }
            guard index > 0, index < parts.count - 1, let named = renamed(part, behind: parts[index - 1], name) else {
                rewritten.append(contentsOf: part)
                continue
            }
            rewritten.append(contentsOf: named.utf8)
        }
        return rewritten
    }

    private static func renamed(
        _ part: ArraySlice<UInt8>, behind previous: ArraySlice<UInt8>, _ name: (String) -> String?
    ) -> String? {
        if part.first == UInt8(ascii: "/") { return name(String(decoding: part, as: UTF8.self)) }
        guard part.starts(with: "./".utf8), previous.suffix(5).elementsEqual("from ".utf8) else { return nil }
        return name(String(decoding: part.dropFirst(), as: UTF8.self)).map { ".\($0)" }
    }
}
