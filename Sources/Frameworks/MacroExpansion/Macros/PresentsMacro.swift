/// `@Presents`: optional state of a presented child.
///
/// The members have the names and types of the property wrapper `PresentationState`, so that both are stored, captured and
/// encoded alike. In observable state, they notify observers and record changes as other members do.
enum PresentsMacro: ExpandableMacro {
    static func expansion(_ role: MacroRole, _ context: MacroContext) throws(ExpansionError) -> [String] {
        guard let variable = Variable(context.declaration), !variable.isLet, !variable.hasAccessors,
            let type = wrappedType(of: variable)
        else {
            throw ExpansionError(
                "@Presents requires a stored variable with an optional type: var destination: Destination.State?")
        }
        let name = variable.plainName
        let wrapper = "ComposableMacros.PresentationState<\(type)>"
        let isObserved = context.surrounding?.hasAttribute("ObservableState") == true
        let own = { (value: String) in
            isObserved
                ? ObservationStateTrackedMacro.accessors(name: variable.name, storage: "_\(name)", value: value)
                : plainAccessors(value)
        }
        switch role {
        case .accessor:
            let initializer = """
                @storageRestrictions(initializes: _\(name))
                init(initialValue) {
                    _\(name) = \(wrapper)(wrappedValue: initialValue)
                }
                """
            return [initializer] + own("_\(name).wrappedValue")
        case .peer:
            let ignored = isObserved ? "@ObservationStateIgnored " : ""
            return [
                "\(ignored)private var _\(name) = \(wrapper)(wrappedValue: \(variable.initialValue ?? "nil"))",
                """
                \(ignored)\(context.declaration.access)var $\(name): \(wrapper) {
                \(own("_\(name)").joined(separator: "\n").indented)
                }
                """,
            ]
        default: return []
        }
    }

    private static func plainAccessors(_ value: String) -> [String] {
        [
            "get {\n    \(value)\n}",
            "set {\n    \(value) = newValue\n}",
            "_modify {\n    yield &\(value)\n}",
        ]
    }

    private static func wrappedType(of variable: Variable) -> String? {
        guard let type = variable.type else { return nil }
        if type.hasSuffix("?") { return type.dropLast().trimmed }
        let prefix = "Optional<"
        if type.hasPrefix(prefix), type.hasSuffix(">") { return String(type.dropFirst(prefix.count).dropLast()) }
        return nil
    }
}
