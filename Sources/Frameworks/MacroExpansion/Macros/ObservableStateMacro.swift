/// `@ObservableState`: state whose members are observed one by one.
enum ObservableStateMacro: ExpandableMacro {
    static func expansion(_ role: MacroRole, _ context: MacroContext) throws(ExpansionError) -> [String] {
        let declaration = context.declaration
        switch role {
        case .memberAttribute:
            guard context.parent?.keyword == "struct", isTracked(declaration) else { return [] }
            return ["@ObservationStateTracked"]
        case .extension:
            guard let type = context.type, context.lacks("ObservableState") else { return [] }
            return ["extension \(type): ComposableMacros.ObservableState {\n}"]
        case .member:
            switch declaration.keyword {
            case "struct": return try StructStateText(declaration).pieces
            case "enum": return [EnumStateText(declaration).text]
            default: throw ExpansionError("@ObservableState requires a struct or an enum, got: \(declaration.keyword)")
            }
        case .accessor, .peer: return []
        }
    }

    /// Returns whether the macro makes a member observable: a stored variable that has no other storage.
    static func isTracked(_ member: Declaration) -> Bool {
        isObservable(member) && Variable.bindings(of: member).count == 1
    }

    /// Returns the names of variables that should be observable but share a declaration, to which no accessors can be added; nil if it
    /// has one.
    static func untrackedNames(_ member: Declaration) -> [String]? {
        let names = Variable.bindings(of: member).map(\.name)
        return names.count > 1 && isObservable(member) ? names : nil
    }

    private static func isObservable(_ member: Declaration) -> Bool {
        guard let variable = stored(member), !variable.isLet else { return false }
        // Property wrappers store the value elsewhere. `@Presents` observes it itself.
        return !member.attributes.contains { $0.baseName != "MainActor" && $0.baseName.first?.isUppercase == true }
    }

    static func stored(_ member: Declaration) -> Variable? {
        guard let variable = Variable(member), variable.isStored, !member.isStatic, !member.modifiers.contains("lazy")
        else { return nil }
        return variable
    }
}

/// `@ObservationStateTracked`: a member of observable state.
enum ObservationStateTrackedMacro: ExpandableMacro {
    static func expansion(_ role: MacroRole, _ context: MacroContext) throws(ExpansionError) -> [String] {
        guard let variable = ObservableStateMacro.stored(context.declaration), !variable.isLet else {
            throw ExpansionError("@ObservationStateTracked requires a stored variable")
        }
        let storage = "_\(variable.plainName)"
        switch role {
        case .accessor:
            let initializer =
                "@storageRestrictions(initializes: \(storage))\ninit(initialValue) {\n    \(storage) = initialValue\n}"
            return [initializer] + accessors(name: variable.name, storage: storage, value: storage)
        case .peer:
            let rest = context.declaration.source.copy(of: context.declaration.rest)
            let space = rest.hasPrefix(":") ? "" : " "
            // How the value is stored, such as `weak`, matters for the storage; who sees it does not.
            let modifiers = context.declaration.storageModifiers.map { "\($0) " }.joined()
            return ["@ObservationStateIgnored private \(modifiers)var \(storage)\(space)\(rest)"]
        default: return []
        }
    }

    /// Returns accessors that notify observers and record changes.
    ///
    /// - Parameters:
    ///   - name: The name of the member, and of its number.
    ///   - storage: The storage of the member.
    ///   - value: The value inside of the storage.
    static func accessors(name: String, storage: String, value: String) -> [String] {
        let arguments = "self, keyPath: \\.\(name), &\(storage)"
        let note = "_$observationRegistrar._$noteChange(of: _$Member.\(name).rawValue)"
        let assignment =
            value == storage ? "newValue" : "ComposableMacros.PresentationState(wrappedValue: newValue)"
        return [
            """
            get {
                _$observationRegistrar.access(self, keyPath: \\.\(name))
                return \(value)
            }
            """,
            """
            set {
                \(note)
                _$observationRegistrar.mutate(\(arguments), \(assignment), ComposableMacros._$isIdentityEqual)
            }
            """,
            """
            _modify {
                \(note)
                let identity = _$observationRegistrar.willModify(\(arguments))
                defer {
                    _$observationRegistrar.didModify(\(arguments), identity)
                }
                yield &\(value)
            }
            """,
        ]
    }
}
