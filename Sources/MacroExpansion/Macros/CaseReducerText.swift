/// The members that `@Reducer` adds to an enum of features.
struct CaseReducerText {
    private let declaration: Declaration
    private let access: String
    private let children: [Child]
    private var conformances: [String: [String]] = [:]

    /// A case of the enum.
    private struct Child {
        enum Kind {
            /// A feature with a reducer.
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

        /// The reducer of a feature.
        var reducer: String { found.values.first?.initialValue ?? "\(type)()" }
    }

    init(_ declaration: Declaration, _ attribute: Attribute?) {
        self.declaration = declaration
        access = declaration.access
        children = declaration.members.flatMap(EnumCase.cases(of:)).map(Child.init)
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
        let declared = Set(declaration.members.filter { $0.keyword != "case" }.map(\.name))
        let pieces = [
            ("State", state), ("Action", action), ("body", body), ("CaseScope", caseScope), ("scope", scope),
        ]
        return pieces.filter { !declared.contains($0.0) }.map(\.1)
    }

    private var state: String {
        let cases = children.map { child in
            child.kind == .feature ? "case \(child.found.name)(\(child.type).State)" : "case \(child.found.text)"
        }
        let branches = children.enumerated().map { number, child in
            child.found.values.count == 1
                ? "case let .\(child.found.name)(value): (\(number), value)"
                : "case .\(child.found.name): (\(number), ())"
        }
        let inherited = ["ComposableArchitecture.CaseReducerState"] + (conformances["state"] ?? [])
        return """
            @CasePathable @dynamicMemberLookup @ObservableState
            \(access)enum State: \(inherited.joined(separator: ", ")) {
                \(access)typealias StateReducer = \(declaration.name)
            \(cases.joined(separator: "\n").indented)
                \(access)var _$case: (number: Swift.Int, value: Any) {
                    switch self {
            \(branches.joined(separator: "\n").indented.indented)
                    }
                }
            }
            """
    }

    private var action: String {
        let cases = children.filter { $0.kind != .data }.map { "case \($0.found.name)(\($0.type).Action)" }
        let inherited = conformances["action"].map { ": \($0.joined(separator: ", "))" } ?? ""
        return """
            @CasePathable
            \(access)enum Action\(inherited) {
            \(cases.joined(separator: "\n").indented)
            }
            """
    }

    private var body: String {
        let scopes = children.filter { $0.kind == .feature }.map { child in
            let name = child.found.name
            return """
                ComposableArchitecture.Scope(state: \\Self.State.Cases.\(name), action: \\Self.Action.Cases.\(name)) {
                    \(child.reducer)
                }
                """
        }
        let list =
            scopes.isEmpty
            ? "ComposableArchitecture.EmptyReducer<Self.State, Self.Action>()" : scopes.joined(separator: "\n")
        return """
            \(access)static var body: ComposableArchitecture.Reduce<Self.State, Self.Action> {
                ComposableArchitecture.Reduce(
                    ComposableArchitecture.CombineReducers {
            \(list.indented.indented.indented)
                    }
                )
            }
            """
    }

    private var caseScope: String {
        let cases = children.map { child in
            child.kind == .feature
                ? "case \(child.found.name)(ComposableArchitecture.StoreOf<\(child.type)>)" : "case \(child.found.text)"
        }
        return """
            @CasePathable @dynamicMemberLookup
            \(access)enum CaseScope {
            \(cases.joined(separator: "\n").indented)
            }
            """
    }

    private var scope: String {
        let branches = children.map { child in
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
            \(access)static func scope(_ store: ComposableArchitecture.Store<Self.State, Self.Action>) -> CaseScope {
                switch store.withState({ $0 }) {
            \(branches.joined(separator: "\n").indented)
                }
            }
            """
    }
}
