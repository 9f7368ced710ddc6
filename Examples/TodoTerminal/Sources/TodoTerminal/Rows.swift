/// The numbers of the items. An item keeps its number when others move, so that a command means the same item while somebody else
/// changes the list.
struct Rows {
    private var numbers: [String: Int] = [:]
    private var ids: [Int: String] = [:]

    /// Returns the list as text.
    mutating func text(of todos: [ComposableTodos.Todo], _ filter: ComposableTodos.TodosFilter) -> String {
        let head = "\(filter): \(todos.count) \(todos.count == 1 ? "item" : "items")"
        let rows = todos.map { todo in
            "\(number(of: todo.id)) [\(todo.isComplete ? "x" : " ")] \(todo.description_.printable)"
        }
        return ([head] + rows).joined(separator: "\n")
    }

    /// Returns the id of an item that was shown with a number.
    func id(of number: Int) -> String? { ids[number] }

    private mutating func number(of id: String) -> Int {
        if let number = numbers[id] { return number }
        let number = numbers.count + 1
        numbers[id] = number
        ids[number] = id
        return number
    }
}

extension String {
    /// The text in one line and without control characters, with which somebody else could command the terminal.
    var printable: String {
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: text.append("\u{FFFD}")
            default: text.append(scalar)
            }
        }
        return String(text)
    }
}
