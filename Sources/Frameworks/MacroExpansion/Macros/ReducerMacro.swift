/// `@Reducer`: the conformance of a feature, and the parts that it leaves out.
enum ReducerMacro: ExpandableMacro {
    static func expansion(_ role: MacroRole, _ context: MacroContext) throws(ExpansionError) -> [String] {
        let declaration = context.declaration
        switch role {
        case .memberAttribute: return attributes(of: declaration, in: context.parent)
        case .extension:
            guard let type = context.type else { return [] }
            // The runtime's `Reducer` is a structure, so the protocol has its earlier name.
            let protocols = declaration.keyword == "enum" ? ["CaseReducer", "ReducerProtocol"] : ["ReducerProtocol"]
            let missing = protocols.filter { context.lacks($0) }.map { "ComposableMacros.\($0)" }
            return missing.isEmpty ? [] : ["extension \(type): \(missing.joined(separator: ", ")) {\n}"]
        case .member:
            switch declaration.keyword {
            case "struct": return missingParts(of: declaration)
            case "enum": return try CaseReducerText(declaration, context.attribute).pieces
            default: throw ExpansionError("@Reducer requires a struct or an enum, got: \(declaration.keyword)")
            }
        case .accessor, .peer: return []
        }
    }

    private static func attributes(of member: Declaration, in parent: Declaration?) -> [String] {
        guard parent?.keyword == "struct" || parent == nil else { return [] }
        var attributes: [String] = []
        if member.keyword == "enum", member.name == "Action" || member.name == "State" {
            if !member.hasAttribute("CasePathable") { attributes.append("@CasePathable") }
            if member.name == "State", !member.hasAttribute("dynamicMemberLookup") {
                attributes.append("@dynamicMemberLookup")
            }
        }
        if member.keyword == "var", member.name == "body", !member.isStatic,
            !member.attributes.contains(where: { $0.baseName.hasPrefix("ReducerBuilder") })
        {
            attributes.append("@ComposableMacros.ReducerBuilder<Self.State, Self.Action>")
        }
        return attributes
    }

    private static func missingParts(of declaration: Declaration) -> [String] {
        let members = declaration.members
        let access = declaration.access
        func declares(_ name: String, _ keywords: String...) -> Bool {
            members.contains { $0.name == name && keywords.contains($0.keyword) }
        }
        var pieces: [String] = []
        let named = namedTypes(of: members.first { $0.name == "body" })
        if let state = named?.state {
            if !declares("State", "struct", "enum", "typealias", "class") {
                pieces.append("\(access)typealias State = \(state)")
            }
        } else if !declares("State", "struct", "enum", "typealias", "class") {
            pieces.append(
                """
                @ObservableState
                \(access)struct State: Codable, Equatable, Hashable, Sendable {
                    \(access)init() {
                    }
                }
                """)
        }
        if let action = named?.action {
            if !declares("Action", "enum", "typealias", "struct") {
                pieces.append("\(access)typealias Action = \(action)")
            }
        } else if !declares("Action", "enum", "typealias", "struct") {
            pieces.append("\(access)enum Action: Equatable, Hashable, Sendable {\n}")
        }
        if !declares("body", "var", "let"), !declares("reduce", "func") {
            pieces.append("\(access)let body = ComposableMacros.EmptyReducer<Self.State, Self.Action>()")
        }
        return pieces
    }

    /// Returns the state and the action that a body names: `let body = EmptyReducer<Int, Int>()`. Nil where it names members of the
    /// feature.
    private static func namedTypes(of body: Declaration?) -> (state: String?, action: String?)? {
        guard let body else { return nil }
        let head = body.rest.prefix { !$0.isMark("{") }
        guard let open = head.firstIndex(where: { $0.isMark("<") }) else { return nil }
        let arguments = Brackets.split(head[(open + 1)..<Brackets.close(of: open, in: head)], at: ",")
        guard arguments.count == 2 else { return nil }
        let names = arguments.map { body.source.text(of: $0) }
        return (
            ["State", "Self.State"].contains(names[0]) ? nil : names[0],
            ["Action", "Self.Action"].contains(names[1]) ? nil : names[1]
        )
    }
}
