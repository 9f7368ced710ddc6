/// What `granary --help` prints.
enum Usage {
    /// The commands, then every key with its default and its environment variable.
    static func text(program: String) -> String {
        """
        \(program) hosts view-model machines: inputs come in as POSTs, outputs go out as server-sent events.

        usage:
          \(program) serve [--config FILE] [--section.key VALUE]...
                                     serve the machines until SIGTERM or SIGINT; the command's name may
                                     be left out
          \(program) check-config [--config FILE] [--section.key VALUE]...
                                     print the configuration that serve would use, or what would keep it
                                     from starting
          \(program) print-defaults     print the file of defaults, with comments
          \(program) machines [--config FILE] [--section.key VALUE]...
                                     print every machine with its inputs and outputs, which clients can see
          \(program) health [--url URL] [--config FILE] [--section.key VALUE]...
                                     exit with 0 if the server is ready, with 1 if not
          \(program) --version          print the version
          \(program) --help             print this

        A key is set by a flag, --http.port 9000 or --http.port=9000, else by its environment variable, else in
        the file that --config or GRANARY_CONFIG names, else it has its default.

        \(keys)
        """
    }

    private static var keys: String {
        ConfigurationKey.all.map { key in
            let value = key.text(in: Configuration())
            let heading = "  --\(key.name) \(value.isEmpty ? "\"\"" : value)"
            let details =
                TextLayout.wrapped(key.explanation, width: 90)
                + TextLayout.wrapped("Expects \(key.expectation).", width: 90) + [key.environmentName]
            return ([heading] + details.map { "        \($0)" }).joined(separator: "\n")
        }
        .joined(separator: "\n")
    }
}
