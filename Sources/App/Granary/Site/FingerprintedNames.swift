import HTTPServer

/// File names that contain a fingerprint of the content, such as `/main.3w5e11264sgsf.js` for `/main.js`.
///
/// The content at such a path never changes, so clients may cache it forever. References between files use these names,
/// too. So a file is named only after all files that it references.
struct FingerprintedNames {
    private static let quote = UInt8(ascii: "\"")
    /// What precedes a relative path in a script. `import(` alone occurs in the types of comments, which browsers do not load.
    private static let references = ["from ", "await import(", "new URL("]

    private let sources: [String: [UInt8]]
    private var finished: [String: (name: String?, content: [UInt8])] = [:]
    /// The files that are being named, each of which refers to the next one.
    private var open: [String] = []
    /// The files that are part of a reference cycle.
    private var cyclic: Set<String> = []

    /// Creates names for files. Pages are not included, because users reach them by their plain paths.
    init(_ files: [PageFile]) {
        sources = Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.content) })
        for file in files { _ = finish(file.path) }
    }

    /// Returns the path with the fingerprint, or `nil` if the file is unknown or is part of a reference cycle.
    func name(of path: String) -> String? { finished[path]?.name }

    /// Returns the content of a file, with the fingerprinted names of the files that it references.
    func content(of path: String) -> [UInt8]? { finished[path]?.content ?? sources[path] }

    /// Returns the content of a page, with the fingerprinted names of the files that it references.
    func naming(_ content: [UInt8]) -> [UInt8] {
        FingerprintedNames.rewritten(content, in: "/") { finished[$0]?.name }
    }

    /// Returns the path without its fingerprint, or `nil` if it has none.
    static func plainPath(of path: Substring) -> String? {
        guard let dot = path.lastIndex(of: "."), let mark = path[..<dot].lastIndex(of: "."),
            // `.d.ts` is the extension of declarations.
            path[mark...] != ".d.ts"
        else { return nil }
        return String(path[..<mark] + path[dot...])
    }

    private mutating func finish(_ path: String) -> String? {
        if let finished = finished[path] { return finished.name }
        guard let source = sources[path] else { return nil }
        // The name of a file in a cycle would depend on itself. So all of them keep their plain names: browsers would run a module
        // with two names twice.
        if let start = open.firstIndex(of: path) {
            cyclic.formUnion(open[start...])
            return nil
        }
        open.append(path)
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        let content = FingerprintedNames.rewritten(source, in: folder) { finish($0) }
        open.removeLast()
        // The content includes the names of the referenced files, so a change of one of them changes this name, too.
        let name =
            cyclic.contains(path) ? nil : FingerprintedNames.name(of: path, StaticContent.fingerprint(of: content))
        finished[path] = (name, content)
        return name
    }

    /// Returns the path with a fingerprint before its extension.
    private static func name(of path: String, _ fingerprint: String) -> String {
        guard let dot = path.lastIndex(of: ".") else { return "\(path).\(fingerprint)" }
        return "\(path[..<dot]).\(fingerprint)\(path[dot...])"
    }

    /// Replaces quoted file names: `"/main.js"` in pages, and `from "./main.js"` in scripts of a folder.
    private static func rewritten(
        _ content: [UInt8], in folder: Substring, _ name: (String) -> String?
    ) -> [UInt8] {
        let parts = content.split(separator: quote, omittingEmptySubsequences: false)
        var rewritten: [UInt8] = []
        for (index, part) in parts.enumerated() {
            if index > 0 { rewritten.append(quote) }
            guard index > 0, index < parts.count - 1,
                let named = renamed(part, behind: parts[index - 1], in: folder, name)
            else {
                rewritten.append(contentsOf: part)
                continue
            }
            rewritten.append(contentsOf: named.utf8)
        }
        return rewritten
    }

    private static func renamed(
        _ part: ArraySlice<UInt8>, behind previous: ArraySlice<UInt8>, in folder: Substring,
        _ name: (String) -> String?
    ) -> String? {
        if part.first == UInt8(ascii: "/") { return name(String(decoding: part, as: UTF8.self)) }
        guard part.starts(with: "./".utf8),
            references.contains(where: { previous.suffix($0.utf8.count).elementsEqual($0.utf8) })
        else { return nil }
        let path = "\(folder)\(String(decoding: part.dropFirst(2), as: UTF8.self))"
        return name(path).map { "./\($0.dropFirst(folder.count))" }
    }
}
