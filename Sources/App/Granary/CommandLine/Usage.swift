/// The text of `--help`.
enum Usage {
    /// Returns the commands, followed by all keys with their defaults and environment variables.
    static func text<Root>(
        program: String, table: ConfigurationTable<Root>, additional: [AdditionalCommand] = []
    ) -> String {
        """
        \(program) hosts view-model machines. Clients send inputs as POST requests and receive outputs as server-sent events.

        usage:
          \(program) [serve] [--config FILE] [--section.key VALUE]...
                                     host the machines until SIGTERM or SIGINT
          \(program) check-config [--config FILE] [--section.key VALUE]...
                                     print the configuration that serve would use, or the problems that would
                                     prevent it from starting
          \(program) print-defaults     print all configuration keys with their defaults and comments
          \(program) machines [--config FILE] [--section.key VALUE]...
                                     print the machines with the inputs and outputs that clients can see
          \(program) contract [--check FILE] [--config FILE] [--section.key VALUE]...
                                     print what clients can rely on: the machines with the schemas of their inputs and
                                     outputs. With --check, print each difference from a file that this command has
                                     written, and whether it breaks clients, and exit with status 1 if there is one
          \(program) types --typescript|--swift [--machine NAME] [URL | [--config FILE] [--section.key VALUE]...]
                                     print the types of the machines' parameters, inputs, outputs and events for
                                     clients: of this program, or of the server at a URL such as http://localhost:8080
          \(program) health [--url URL] [--config FILE] [--section.key VALUE]...
                                     exit with status 0 if the server is ready, otherwise with status 1
          \(program) sessions list|check [--config FILE] [--section.key VALUE]...
                                     print the stored sessions, or check on a copy that this program can restore
                                     all of them, and exit with status 1 if it cannot
          \(program) sessions show|export|delete|release ID [--config FILE] [--section.key VALUE]...
                                     print a session, print it as a file for import, end it, or release it from
                                     quarantine. ID is the session's id or the beginning of what list shows
          \(program) sessions delete --machine NAME [--config FILE] [--section.key VALUE]...
                                     delete all sessions of a machine while no server runs, so that a build whose state
                                     has another shape can start without a migration
          \(program) sessions fork ID [--at VERSION] [--config FILE] [--section.key VALUE]...
                                     create a session from another one at an earlier version and print its id
          \(program) sessions import FILE [--config FILE] [--section.key VALUE]...
                                     store an exported session again
          \(program) keys new|revoke NAME [--config FILE] [--section.key VALUE]...
                                     create an API key and print it once, or remove it, in the file access.apiKeys
          \(program) keys list [--config FILE] [--section.key VALUE]...
                                     print the names of the API keys
          \(program) backup FILE [--config FILE] [--section.key VALUE]...
                                     write a consistent copy of all stored sessions. This and all sessions commands
                                     work with a running server and without one
          \(program) replay FILE [--machine NAME] [--config FILE] [--section.key VALUE]...
                                     run an exported session again, print its turns and the first one that differs
                                     from the record, and exit with status 1 if there is one. Nothing is asked of
                                     other services and nothing is stored
        \(additional.map { lines(of: $0, program) }.joined())  \(program) --version          print the version
          \(program) --help             print this help
          \(program) --version --verbose
                                     print the version, the commit and the toolchain of the build, and the libraries
          \(program) --version --bom    print a software bill of materials (CycloneDX)

        A key can be set with a flag (--http.port 9000 or --http.port=9000), an environment variable, or in the
        configuration file (--config or GRANARY_CONFIG). Flags override variables, and variables override the file.

        \(keys(of: table))
        """
    }

    private static func lines(of command: AdditionalCommand, _ program: String) -> String {
        let description = TextLayout.wrapped(command.usage.description, width: 84)
            .map { String(repeating: " ", count: 29) + $0 }
        return (["  \(program) \(command.name) \(command.usage.arguments)"] + description).map { "\($0)\n" }.joined()
    }

    private static func keys<Root>(of table: ConfigurationTable<Root>) -> String {
        table.keys.map { key in
            let value = key.text(in: table.defaults)
            let heading = "  --\(key.name) \(value.isEmpty ? "\"\"" : value)"
            let details =
                TextLayout.wrapped(key.help, width: 90) + TextLayout.wrapped("Expects \(key.expectation).", width: 90)
                + [key.environmentName]
            return ([heading] + details.map { "        \($0)" }).joined(separator: "\n")
        }
        .joined(separator: "\n")
    }
}
