/// A value as the operator wrote it, before it is validated.
enum ConfigurationInput: Sendable {
    /// The value of a flag or an environment variable.
    case text(String)
    /// A value in a configuration file.
    case json(JSON5Value)

    /// The value for a message. A long text is truncated.
    var description: String {
        // A secret cannot appear here: its format accepts every text, so a text is never reported.
        switch self {
        case .text(let text), .json(.string(let text)): JSON5Text.quoted(String(text.prefix(80)))
        case .json(.number(let number)): Int(exactly: number).map(String.init) ?? String(number)
        case .json(let value): value.kind
        }
    }
}
