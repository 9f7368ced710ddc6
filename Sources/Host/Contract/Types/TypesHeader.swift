/// The header of the generated types in all languages.
enum TypesHeader {
    /// The beginning of the first line.
    static let mark = "// Types of machines, written by `granary types`."

    /// Returns the header as lines of comments.
    ///
    /// - Parameter hash: The hash of the contract.
    static func lines(hash: String) -> [String] {
        ["\(mark) Do not edit.", "// Contract \(hash)", ""]
    }

    static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
