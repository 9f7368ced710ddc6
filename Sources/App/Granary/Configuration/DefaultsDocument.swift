/// The commented file of defaults, generated from the table of keys. The `print-defaults` command prints it.
enum DefaultsDocument {
    /// Returns the whole document, including the final newline.
    static func text<Root>(of table: ConfigurationTable<Root>, program: String) -> String {
        var lines = preamble(program)
        for (index, section) in table.sections.enumerated() {
            if index > 0 { lines.append("") }
            lines.append("    \(section): {")
            for (place, key) in table.keys.filter({ $0.section == section }).enumerated() {
                if place > 0 { lines.append("") }
                lines += member(key, in: table.defaults).map { "        \($0)" }
            }
            lines.append("    },")
        }
        return (lines + ["}", ""]).joined(separator: "\n")
    }

    private static func preamble(_ program: String) -> [String] {
        [
            "// All configuration keys of \(program) with their defaults, in JSON5.",
            "//",
            "// Copy the keys that you want to change to a file, and start `\(program) serve --config FILE` or set",
            "// GRANARY_CONFIG to its path. The environment variable of a key overrides the file, and a flag,",
            "// --section.key VALUE, overrides both. `\(program) check-config` prints the resulting configuration.",
            "//",
            "// `\(program) print-defaults` prints this file.",
            "{",
        ]
    }

    private static func member<Root>(_ key: ConfigurationKey<Root>, in defaults: Root) -> [String] {
        let comments = TextLayout.wrapped(key.help, width: 100) + ["Expects \(key.expectation)."]
        return (comments + [key.environmentName]).map { "// \($0)" } + ["\(key.member): \(key.literal(in: defaults)),"]
    }
}
