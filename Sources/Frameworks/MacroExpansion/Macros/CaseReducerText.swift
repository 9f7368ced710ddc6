/// The members that `@Reducer` adds to an enum of features.
struct CaseReducerText {
    private let declaration: Declaration
    private let access: String
    private let lines: [EnumLine]
    private var conformances: [String: [String]] = [:]

    private struct Child {
        enum Kind {
            case feature
            /// State without a reducer, whose presentation ends with its first action: an alert.
            case ephemeral
            /// State without actions.
            case data
        }

        let found: EnumCase

        /// The types of state whose presentation ends with any action.
        private var ephemeral: Set<String> { ["AlertState", "ActionSheetState", "ConfirmationDialogState"] }

        var kind: Kind {
            guard found.values.count == 1, !found.hasAttribute("ReducerCaseIgnored") else { return .data }
            if found.hasAttribute("ReducerCaseEphemeral") { return .ephemeral }
            let name = type.prefix { $0 != "<" }.split(separator: ".").last?.trimmed
            return name.map(ephemeral.contains) == true ? .ephemeral : .feature
        }

        var type: String { found.values.first?.type ?? "Void" }

        var reducer: String { found.values.first?.initialValue ?? "\(type)()" }
    }

    init(_ declaration: Declaration, _ attribute: Attribute?) {
        self.declaration = declaration
        access = declaration.access
        lines = EnumLine.lines(of: declaration)
        var label = "state"
        // The arguments are variadic: `state: .equatable, .sendable, action: .equatable`.
        for argument in attribute?.labelledArguments(in: declaration.source) ?? [] {
            if !argument.label.isEmpty { label = argument.label }
            guard let name = argument.tokens.last?.text, let first = name.first else { continue }
            conformances[label, default: []].append("Swift.\(first.uppercased())\(name.dropFirst())")
        }
    }

    /// The missing members.
    var pieces: [String] {
        get throws(ExpansionError) {
            let declared = Set(declaration.members.filter { $0.keyword != "case" }.map(\.name))
            let pieces = [
                ("State", try state), ("Action", try action), ("body", body), ("CaseScope", try caseScope),
                ("scope", scope),
            ]
            return pieces.filter { !declared.contains($0.0) }.map(\.1)
        }
    }

    private var state: String {
        get throws(ExpansionError) {
            let cases = texts { _, child in
                child.kind == .feature
                    ? "case \(child.found.name)(\(child.type).State)" : "case \(child.found.text)"
            }
            let branches = texts { number, child in
                child.found.values.count == 1
                    ? "case let .\(child.found.name)(value): (\(number), value)"
                    : "case .\(child.found.name): (\(number), ())"
            }
            let inherited =
                ["ComposableMacros.CaseReducerState", "ComposableMacros.ObservableState"]
                + (conformances["state"] ?? [])
            let reducer = "\(access)typealias StateReducer = \(declaration.name)"
            let current = """
                \(access)var _$case: (number: Swift.Int, value: Any) {
                    switch self {
                \(branches.indented)
                    }
                }
                """
            return try pathable("State", inherited, cases) { [EnumStateText($0).text, reducer, current] }
        }
    }

    private var action: String {
        get throws(ExpansionError) {
            let cases = texts { _, child in
                child.kind == .data ? nil : "case \(child.found.name)(\(child.type).Action)"
            }
            return try pathable("Action", conformances["action"] ?? [], cases) { _ in [] }
        }
    }

    private var body: String {
        let scopes = texts { _, child in
            guard child.kind == .feature else { return nil }
            let name = child.found.name
            return """
                ComposableMacros.Scope(state: \\Self.State.Cases.\(name), action: \\Self.Action.Cases.\(name)) {
                    \(child.reducer)
                }
                """
        }
        // Under directives, there may be no scope.
        let empty = "ComposableMacros.EmptyReducer<Self.State, Self.Action>()"
        let isConditional = lines.contains { if case .directive = $0 { true } else { false } }
        let list = scopes.isEmpty ? empty : isConditional ? "\(empty)\n\(scopes)" : scopes
        return """
            \(access)static var body: ComposableMacros.Reduce<Self.State, Self.Action> {
                ComposableMacros.Reduce(
                    ComposableMacros.CombineReducers {
            \(list.indented.indented.indented)
                    }
                )
            }
            """
    }

    private var caseScope: String {
        get throws(ExpansionError) {
            let cases = texts { _, child in
                let store = "ComposableMacros.StoreOf<\(child.type)>"
                return child.kind == .feature
                    ? "case \(child.found.name)(\(store))" : "case \(child.found.text)"
            }
            return try pathable("CaseScope", [], cases) { _ in [] }
        }
    }

    private var scope: String {
        let branches = texts { _, child in
            let name = child.found.name
            if child.kind == .feature {
                return "case let .\(name)(v0): "
                    + "return .\(name)(store._$scope(v0, state: \\.\(name), action: \\.\(name)))"
            }
            if child.found.values.isEmpty { return "case .\(name): return .\(name)" }
            let values = child.found.values.indices.map { "v\($0)" }
            let arguments = zip(child.found.values, values).map { value, name in
                (value.label.map { "\($0): " } ?? "") + name
            }
            return "case let .\(name)(\(values.joined(separator: ", "))): "
                + "return .\(name)(\(arguments.joined(separator: ", ")))"
        }
        return """
            \(access)static func scope(_ store: ComposableMacros.Store<Self.State, Self.Action>) -> CaseScope {
                switch store.withState({ $0 }) {
            \(branches.indented)
                }
            }
            """
    }

    /// Returns the text for all cases, with the directives around them. Cases without a text are left out.
    private func texts(_ text: (_ number: Int, Child) -> String?) -> String {
        lines.compactMap { line in
            switch line {
            case .directive(let text): text
            case .found(let found, let number): text(number, Child(found: found))
            }
        }
        .joined(separator: "\n")
    }

    /// Returns an enum with the given cases, their case paths, and other members.
    ///
    /// The text has no attributes of `CasePathable` and `ObservableState`: the compiler (6.3) crashes on files with several enums whose
    /// attributes, which a macro has added, add extensions.
    private func pathable(
        _ name: String, _ inherited: [String], _ cases: String,
        _ members: (Declaration) throws(ExpansionError) -> [String]
    ) throws(ExpansionError) -> String {
        let head = "\(access)enum \(name)"
        guard let parsed = DeclarationParser.declaration(in: "\(head) {\n\(cases)\n}") else {
            throw ExpansionError("@Reducer cannot read the cases of \(declaration.name)")
        }
        let protocols = ["CasePathMacros.CasePathable", "CasePathMacros.CasePathIterable"] + inherited
        let pieces = [cases] + (try members(parsed)) + (try CasePathableMacro.members(of: parsed))
        return """
            \(name == "Action" ? "" : "@dynamicMemberLookup ")\(head): \(protocols.joined(separator: ", ")) {
            \(pieces.joined(separator: "\n\n").indented)
            }
            """
    }
}
