/// The commented file of defaults, made from the table of keys: what `Config/defaults.json5` holds and
/// `granary print-defaults` prints.
enum DefaultsDocument {
    /// The whole document, ending in a newline.
    static var text: String {
        var lines = preamble
        for (index, section) in sections.enumerated() {
            if index > 0 { lines.append("") }
            lines.append("    \(section.name): {")
            for (place, key) in section.keys.enumerated() {
                if place > 0 { lines.append("") }
                lines += member(key).map { "        \($0)" }
            }
            lines.append("    },")
        }
        return (lines + ["}", ""]).joined(separator: "\n")
    }

    private static let preamble = [
        "// Every key of granary's configuration with its default. The format is JSON5.",
        "//",
        "// Copy what you want to change into a file of your own and start `granary serve --config FILE`, or set",
        "// GRANARY_CONFIG. A key may also be set by its environment variable, which goes over the file, or by a",
        "// flag, --section.key VALUE, which goes over both. `granary check-config` shows what comes out.",
        "//",
        "// This file is printed by `granary print-defaults`.",
        "{",
    ]

    private static var sections: [(name: String, keys: [ConfigurationKey])] {
        var result: [(name: String, keys: [ConfigurationKey])] = []
        for key in ConfigurationKey.all {
            if result.last?.name == key.section {
                result[result.count - 1].keys.append(key)
            } else {
                result.append((key.section, [key]))
            }
        }
        return result
    }

    private static func member(_ key: ConfigurationKey) -> [String] {
        let comments = TextLayout.wrapped(key.explanation, width: 100) + ["Expects \(key.expectation)."]
        let value = key.literal(in: Configuration())
        return (comments + [key.environmentName]).map { "// \($0)" } + ["\(key.member): \(value),"]
    }
}
