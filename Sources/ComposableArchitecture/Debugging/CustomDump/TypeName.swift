/// The names of types in dumps.
enum TypeName {
    /// Returns the name of a type without its module and without generic arguments: `Counter.State`.
    static func short(_ type: any Any.Type) -> String {
        full(type).droppingGenericArguments
    }

    /// Returns the name of a type without modules: `Result<Int, Failure>`.
    static func full(_ type: any Any.Type) -> String {
        _typeName(type, qualified: true).droppingPrivateContexts.droppingModules
    }
}

extension String {
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
