/// The header of the generated types in all languages.
enum TypesHeader {
    /// Returns the header as lines of comments.
    ///
    /// - Parameter hash: The hash of the contract.
    static func lines(hash: String) -> [String] {
        ["// Types of machines, written by `granary types`. Do not edit.", "// Contract \(hash)", ""]
    }

    static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
