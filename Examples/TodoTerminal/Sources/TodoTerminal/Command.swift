/// A line that somebody has typed.
enum Command: Equatable {
    case add(String)
    case done(Int)
    case delete(Int)
    case clear
    case filter(ComposableTodos.TodosFilter)
    case list

    static let usage = "commands: add TEXT, done N, delete N, clear, filter all|active|completed, list"

    /// Reads a line; nil if it is not a command.
    init?(_ line: String) {
        let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        let value = words.count > 1 ? String(words[1]).trimmed : ""
        switch (words.first, Int(value), ComposableTodos.TodosFilter(rawValue: value)) {
        case ("add", _, _) where !value.isEmpty: self = .add(value)
        case ("done", let number?, _): self = .done(number)
        case ("delete", let number?, _): self = .delete(number)
        case ("filter", _, let filter?): self = .filter(filter)
        case ("clear", _, _) where value.isEmpty: self = .clear
        case ("list", _, _) where value.isEmpty: self = .list
        default: return nil
        }
    }
}

extension String {
    var trimmed: String { String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()) }
}
