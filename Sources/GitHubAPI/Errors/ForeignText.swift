/// Text that somebody else wrote, made fit for a message.
enum ForeignText {
    static let limit = 200

    /// The text on one line, without control characters and of at most ``limit`` characters.
    static func shown(_ text: String) -> String {
        let beginning = text.prefix(limit).map { character -> Character in
            character.unicodeScalars.contains(where: isControl) ? " " : character
        }
        return String(beginning) + (beginning.count < text.count ? "…" : "")
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
