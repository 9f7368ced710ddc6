/// `@CasePathable`: a case path for each case of an enum.
enum CasePathableMacro: ExpandableMacro {
    static func expansion(_ role: MacroRole, _ context: MacroContext) throws(ExpansionError) -> [String] {
        let declaration = context.declaration
        guard declaration.keyword == "enum" else {
            throw ExpansionError("@CasePathable requires an enum, got: \(declaration.keyword)")
        }
        switch role {
        case .extension:
            guard let type = context.type else { return [] }
            let missing = ["CasePathable", "CasePathIterable"].filter { context.lacks($0) }
            if missing.isEmpty { return [] }
            return ["extension \(type): \(missing.map { "CasePathMacros.\($0)" }.joined(separator: ", ")) {\n}"]
        case .member: return try members(of: declaration)
        default: return []
        }
    }

    static func members(of declaration: Declaration) throws(ExpansionError) -> [String] {
        let members = declaration.members
        var names: Set<String> = []
        // Branches of an `#if` may have the same names.
        for found in declaration.unconditionalMembers.flatMap(EnumCase.cases(of:))
        where !names.insert(found.plainName).inserted {
            throw ExpansionError("@CasePathable cannot tell the cases named \"\(found.plainName)\" apart")
        }
        let access = declaration.access
        let name = declaration.name
        let aliases = aliases(for: members.flatMap(EnumCase.cases(of:)))
        let renaming = aliases.merging(["Self": name]) { alias, _ in alias }
        let paths = members.compactMap { piece($0) { path(to: $0, of: name, access, renaming) } }
        let tests = members.compactMap { piece($0) { "case .\($0.name): return \\.\($0.name)" } }
        let all = members.compactMap { piece($0) { "paths.append(\\.\($0.name))" } }
        let root = tests.isEmpty ? "\\.never" : "switch root {\n\(tests.joined(separator: "\n"))\n}"
        let type = """
            \(access)struct AllCasePaths: CasePathMacros.CasePathReflectable, Swift.Sendable, Swift.Sequence {
                \(access)subscript(root: \(name)) -> CasePathMacros.PartialCaseKeyPath<\(name)> {
            \(root.indented.indented)
                }
            \(paths.joined(separator: "\n").indented)
                \(access)func makeIterator() -> Swift.IndexingIterator<[CasePathMacros.PartialCaseKeyPath<\(name)>]> {
                    \(all.isEmpty ? "let" : "var") paths: [CasePathMacros.PartialCaseKeyPath<\(name)>] = []
            \(all.joined(separator: "\n").indented.indented)
                    return paths.makeIterator()
                }
            }
            """
        let descriptions = members.compactMap { piece($0) { description(of: $0, in: name) } }
        return aliases.sorted(by: <).map { "\(access)typealias \($1) = \($0)" } + [
            type, "\(access)static var allCasePaths: AllCasePaths { AllCasePaths() }",
            """
            \(access)static var _$cases: [CasePathMacros.CaseDescription] {
                \(descriptions.isEmpty ? "let" : "var") cases: [CasePathMacros.CaseDescription] = []
            \(descriptions.joined(separator: "\n").indented)
                return cases
            }
            """,
        ]
    }

    /// Returns aliases for the types of associated values whose names have another meaning in `AllCasePaths`, which is a `Sequence` with a
    /// `Root`.
    private static func aliases(for cases: [EnumCase]) -> [String: String] {
        let names = ["Element", "Iterator", "Root"].filter { name in
            cases.contains { $0.payloadType(renaming: [:]) != $0.payloadType(renaming: [name: "_$\(name)"]) }
        }
        return Dictionary(uniqueKeysWithValues: names.map { ($0, "_$\($0)") })
    }

    private static func description(of found: EnumCase, in root: String) -> String {
        guard !found.values.isEmpty else {
            return "cases.append(CasePathMacros.CaseDescription(\"\(found.plainName)\") { _ in \(root).\(found.name) })"
        }
        let values = found.values.map { value in
            "(\(value.label.map { "\"\($0.replacing("`", with: ""))\"" } ?? "nil"), (\(value.type)).self)"
        }
        let bindings = found.values.enumerated().map { index, value in
            "let v\(index) = CasePathMacros._$value(values, \(index), as: (\(value.type)).self)"
        }
        let arguments = found.values.enumerated().map { index, value in
            (value.label.map { "\($0): " } ?? "") + "v\(index)"
        }
        return """
            cases.append(
                CasePathMacros.CaseDescription("\(found.plainName)", [\(values.joined(separator: ", "))]) { values in
                    guard \(bindings.joined(separator: ", ")) else { return nil }
                    return \(root).\(found.name)(\(arguments.joined(separator: ", ")))
                })
            """
    }

    /// Returns the text for the cases of a declaration. Directives are kept, so that conditional cases have conditional paths.
    private static func piece(_ member: Declaration, _ make: (EnumCase) -> String) -> String? {
        if member.isDirective { return member.text }
        let pieces = EnumCase.cases(of: member).map(make)
        return pieces.isEmpty ? nil : pieces.joined(separator: "\n")
    }

    /// - Parameter names: The names in `AllCasePaths` for types that have other names in the enum.
    private static func path(
        to found: EnumCase, of root: String, _ access: String, _ names: [String: String]
    ) -> String {
        let type = found.payloadType(renaming: names)
        let variables = found.values.indices.map { "v\($0)" }
        let embed =
            switch found.values.count {
            case 0: "{ \(root).\(found.name) }"
            // Without its type, which would make a parameter that is a function not escape.
            case 1: "{ \(root).\(found.name)(\(found.values[0].label.map { "\($0): " } ?? "")$0) }"
            default: "{ (value: \(type)) in \(root).\(found.name)(\(arguments(of: found))) }"
            }
        let pattern = found.values.isEmpty ? "" : "(\(variables.map { "let \($0)" }.joined(separator: ", ")))"
        let value = variables.count == 1 ? variables[0] : "(\(variables.joined(separator: ", ")))"
        return """
            \(access)var \(found.name): CasePathMacros.AnyCasePath<\(root), \(type)> {
                CasePathMacros.AnyCasePath<\(root), \(type)>(
                    embed: \(embed),
                    extract: {
                        guard case .\(found.name)\(pattern) = $0 else { return nil }
                        return \(value)
                    }
                )
            }
            """
    }

    private static func arguments(of found: EnumCase) -> String {
        found.values.enumerated().map { index, value in
            (value.label.map { "\($0): " } ?? "") + "value.\(index)"
        }.joined(separator: ", ")
    }
}
