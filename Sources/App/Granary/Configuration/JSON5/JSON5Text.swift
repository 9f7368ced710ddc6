import JSONText

enum JSON5Text {
    /// Returns a text as a JSON5 string in double quotes, which is the string of JSON.
    static func quoted(_ text: String) -> String { JSONWriter.quoted(text) }
}
