import Testing

@testable import TodoTerminal

struct CommandTests {
    @Test(arguments: [
        ("add Buy milk", Command.add("Buy milk")), ("  add  two  words ", .add("two  words")), ("done 3", .done(3)),
        ("delete 12", .delete(12)), ("clear", .clear), ("filter completed", .filter(.completed)), (" list ", .list),
    ])
    func `a line is a command`(line: String, command: Command) {
        #expect(Command(line) == command)
    }

    @Test(arguments: [
        "", " ", "add", "add  ", "done", "done one", "done 1 2", "delete", "clear all", "filter", "filter none",
        "list 1", "quit", "done 99999999999999999999",
    ])
    func `a line that is not a command is not read as one`(line: String) {
        #expect(Command(line) == nil)
    }
}
