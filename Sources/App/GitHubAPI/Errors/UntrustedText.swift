/// Prepares text from another party for use in a message.
enum UntrustedText {
    static let limit = 200

    /// Returns the text on one line, without control characters and truncated to ``limit`` characters.
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
