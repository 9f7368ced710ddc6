/// A command that a program has besides those of every server.
package struct AdditionalCommand: Sendable {
    /// The first argument that selects it.
    let name: String
    /// Its lines in `--help`: the arguments after the program's name, and what it does.
    let usage: (arguments: String, description: String)
    /// Runs the command with the arguments after its name. Receives functions that print a line to standard output and
    /// standard error, from any thread, and returns the exit status.
    let run:
        @Sendable (
            _ arguments: [String], _ print: @escaping (String) -> Void, _ printError: @escaping (String) -> Void
        ) -> Int32

    /// Creates a command.
    ///
    /// - Parameters:
    ///   - name: The first argument that selects it. No command of every server has this name.
    ///   - arguments: Its arguments, for `--help`.
    ///   - description: What it does, for `--help`.
    ///   - run: Runs it with the arguments after its name. Receives functions that print a line to standard output and
    ///     standard error, from any thread, and returns the exit status.
    package init(
        _ name: String, arguments: String, description: String,
        run:
            @escaping @Sendable (
                _ arguments: [String], _ print: @escaping (String) -> Void, _ printError: @escaping (String) -> Void
            ) -> Int32
    ) {
        self.name = name
        usage = (arguments, description)
        self.run = run
    }
}
