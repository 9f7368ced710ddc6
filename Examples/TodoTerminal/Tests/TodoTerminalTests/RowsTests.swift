import Testing

@testable import TodoTerminal

struct RowsTests {
    private let milk = ComposableTodos.Todo(id: "m", description_: "Milk", isComplete: false)
    private let bread = ComposableTodos.Todo(id: "b", description_: "Bread", isComplete: true)

    @Test func `an item keeps its number when it moves and when it is hidden`() {
        var rows = Rows()
        #expect(rows.text(of: [], .all) == "all: 0 items")
        #expect(rows.text(of: [milk], .all) == "all: 1 item\n1 [ ] Milk")
        #expect(rows.text(of: [bread, milk], .all) == "all: 2 items\n2 [x] Bread\n1 [ ] Milk")
        #expect(rows.text(of: [bread], .completed) == "completed: 1 item\n2 [x] Bread")
        #expect(rows.text(of: [milk, bread], .all) == "all: 2 items\n1 [ ] Milk\n2 [x] Bread")
        #expect(rows.id(of: 2) == "b")
        #expect(rows.id(of: 3) == nil)
    }

    @Test func `what others have written does not command the terminal`() {
        #expect("\u{1B}[2Ja\nb\u{9B}c\u{2028}d\té 👩‍🚀".printable == "\u{FFFD}[2Ja\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}é 👩‍🚀")
    }
}
