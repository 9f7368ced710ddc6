/// Formats text for a terminal.
enum TextLayout {
    /// Returns `text` in lines of at most `width` characters, broken between words. A longer word gets its own line.
    static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let line = lines.last, line.count + word.count < width {
                lines[lines.count - 1] = "\(line) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
