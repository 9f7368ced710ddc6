/// The names of types in dumps.
enum TypeName {
    /// Returns the name of a type without its module and without generic arguments: `Counter.State`.
    static func short(_ type: any Any.Type) -> String {
        _typeName(type, qualified: true).droppingPrivateContexts.droppingModules.droppingGenericArguments
    }

    /// Returns the name of a type without modules, and with short forms of optionals and collections: `Result<[Int], Failure>`.
    static func full(_ type: any Any.Type) -> String {
        _typeName(type, qualified: true).shorteningStandardTypes.droppingPrivateContexts.droppingModules
    }
}

extension String {
    /// The qualified name of a type with `Int?`, `[Int]` and `[String: Int]` for optionals, arrays and dictionaries.
    fileprivate var shorteningStandardTypes: String {
        var result = self
        // The last one has no other inside of it.
        while let (start, form) = result.lastStandardType {
            var depth = 0
            var comma: Index?
            var end = start.upperBound
            while end < result.endIndex {
                // The end of an arrow closes nothing.
                let isArrow = result[end] == ">" && result[result.index(before: end)] == "-"
                if "<([".contains(result[end]) { depth += 1 }
                if ">)]".contains(result[end]), !isArrow { depth -= 1 }
                if depth < 0 { break }
                if depth == 0, result[end] == ",", comma == nil { comma = end }
                end = result.index(after: end)
            }
            guard end < result.endIndex else { return result }
            var inner = String(result[start.upperBound..<end])
            if form == .dictionary, let comma {
                let value = result[result.index(after: comma)..<end].drop { $0 == " " }
                inner = "\(result[start.upperBound..<comma]): \(value)"
            }
            if form == .optional, inner.contains("->") { inner = "(\(inner))" }
            result.replaceSubrange(start.lowerBound...end, with: form == .optional ? "\(inner)?" : "[\(inner)]")
        }
        return result
    }

    private enum StandardType: String, CaseIterable {
        case optional = "Swift.Optional<"
        case array = "Swift.Array<"
        case dictionary = "Swift.Dictionary<"
    }

    private var lastStandardType: (Range<Index>, StandardType)? {
        StandardType.allCases.compactMap { form in ranges(of: form.rawValue).last.map { ($0, form) } }
            .max { $0.0.lowerBound < $1.0.lowerBound }
    }

    /// The qualified name of a type without the contexts of private types: `(unknown context at $7f00)`.
    fileprivate var droppingPrivateContexts: String {
        var rest = self[...]
        var result = ""
        while let start = rest.firstRange(of: "(unknown context at "),
            let end = rest[start.upperBound...].firstRange(of: ").")
        {
            result += rest[..<start.lowerBound]
            rest = rest[end.upperBound...]
        }
        return result + rest
    }

    /// The qualified name of a type without the names of modules, also in its generic arguments.
    fileprivate var droppingModules: String {
        var result = ""
        var word = ""
        func flush() {
            // The first part of `Module.Type.Nested` is the module.
            let parts = word.split(separator: ".", omittingEmptySubsequences: false)
            result += parts.count > 1 ? parts.dropFirst().joined(separator: ".") : word
            word = ""
        }
        for character in self {
            if character.isLetter || character.isNumber || character == "_" || character == "." || character == "$" {
                word.append(character)
            } else {
                flush()
                result.append(character)
            }
        }
        flush()
        return result
    }

    /// The name of a type without the angle brackets and what is between them.
    fileprivate var droppingGenericArguments: String {
        var depth = 0
        return filter { character in
            if character == ">" {
                depth -= 1
                return false
            }
            if character == "<" { depth += 1 }
            return depth == 0
        }
    }
}
