/// `@DependencyClient`: a dependency whose functions report an issue until they are implemented.
enum DependencyClientMacro: ExpandableMacro {
    static func expansion(_ role: MacroRole, _ context: MacroContext) throws(ExpansionError) -> [String] {
        switch role {
        case .memberAttribute:
            let variables = Variable.bindings(of: context.declaration)
            guard variables.count == 1, isEndpoint(variables[0]), !context.declaration.isStatic,
                !context.declaration.hasAttribute("DependencyEndpoint")
            else { return [] }
            return ["@DependencyEndpoint"]
        case .member:
            guard context.declaration.keyword == "struct" else {
                throw ExpansionError("@DependencyClient requires a struct, got a \(context.declaration.keyword)")
            }
            return try initializers(of: context.declaration)
        default: return []
        }
    }

    /// Whether a variable is a function that reports an issue until it is set.
    private static func isEndpoint(_ variable: Variable) -> Bool {
        !variable.isLet && !variable.hasAccessors && variable.closure != nil
            && !variable.declaration.hasAttribute("DependencyEndpointIgnored")
    }

    /// Returns an initializer for all properties, and one for those that have no value yet.
    private static func initializers(of declaration: Declaration) throws(ExpansionError) -> [String] {
        // A list of parameters cannot be conditional. Conditional functions report issues until they are set, one by one.
        let declarations = declaration.unconditionalMembers.map(Variable.bindings).map { variables in
            variables.filter { $0.isStored && !$0.declaration.isStatic && !($0.isLet && $0.initialValue != nil) }
        }
        if let shared = declarations.first(where: { $0.count > 1 && $0.contains(where: isEndpoint) }) {
            throw ExpansionError(
                "@DependencyClient requires a declaration of its own for each function, got one for: "
                    + shared.map(\.name).joined(separator: ", "))
        }
        let typed = declarations.flatMap { $0 }.filter { $0.type != nil }
        let others = typed.filter { !isEndpoint($0) }
        let access = declaration.access
        return (typed.count == others.count ? [typed] : [typed, others]).map { initializer(of: $0, access) }
    }

    private static func initializer(of variables: [Variable], _ access: String) -> String {
        if variables.isEmpty { return "\(access)init() {\n}" }
        let parameters = variables.map { variable in
            let (type, closure) = (variable.type ?? "", variable.closure)
            let initialValue = variable.initialValue ?? (type.hasSuffix("?") && closure == nil ? "nil" : nil)
            let value = isEndpoint(variable) ? "" : initialValue.map { " = \($0)" } ?? ""
            return "\(variable.name): \(closure?.escapingText ?? type)\(value)"
        }
        // Functions with defaults have setters, which may be called only when all other properties have values.
        let assignments = (variables.filter { $0.initialValue == nil } + variables.filter { $0.initialValue != nil })
            .map { "self.\($0.name) = \($0.name)" }
        return """
            \(access)init(
            \(parameters.joined(separator: ",\n").indented)
            ) {
            \(assignments.joined(separator: "\n").indented)
            }
            """
    }
}

extension Variable {
    fileprivate var closure: ClosureType? { ClosureType(typeTokens, in: declaration.source) }
}

/// `@DependencyEndpoint`: one function of a dependency.
enum DependencyEndpointMacro: ExpandableMacro {
    static func expansion(_ role: MacroRole, _ context: MacroContext) throws(ExpansionError) -> [String] {
        let source = context.declaration.source
        guard let variable = Variable(context.declaration), let type = variable.type,
            let closure = ClosureType(variable.typeTokens, in: source)
        else { throw ExpansionError("@DependencyEndpoint requires a variable with the type of a function") }
        let name = variable.plainName
        switch role {
        case .accessor:
            let accessors = ["get {\n    _\(name)\n}", "set {\n    _\(name) = newValue\n}"]
            // The compiler keeps the initial value of a property with an `init` accessor, and would replace the function that
            // reports an issue with it.
            guard variable.initialValue == nil else { return accessors }
            let initializer =
                "@storageRestrictions(initializes: _\(name))\ninit(initialValue) {\n    _\(name) = initialValue\n}"
            return [initializer] + accessors
        case .peer:
            let given = methodName(context.attribute, source)
            let hasMethod = given != nil || closure.parameters.contains { $0.label != nil }
            try requirePassable(closure, isPassedOn: hasMethod || variable.initialValue != nil, name)
            let fallback = try unimplemented(variable, closure, context)
            var pieces = ["private var _\(name): \(type) = \(fallback)"]
            if hasMethod { pieces.insert(method(given ?? variable.name, variable, closure, context), at: 0) }
            return pieces
        default: return []
        }
    }

    /// The name that `@DependencyEndpoint(method: "name")` gives the method; nil without one.
    private static func methodName(_ attribute: Attribute?, _ source: Source) -> String? {
        let argument = attribute?.labelledArguments(in: source).first { $0.label == "method" }
        let name = argument?.tokens.first?.text.filter { $0 != "\"" } ?? ""
        return name.isEmpty ? nil : name
    }

    /// Throws if a parameter stands for a number of values. In Swift, a function cannot pass on those of a variadic parameter, and a
    /// closure that takes a pack has to name all types of its parameters.
    private static func requirePassable(
        _ closure: ClosureType, isPassedOn: Bool, _ name: String
    ) throws(ExpansionError) {
        guard let parameter = closure.parameters.first(where: { $0.isPack || $0.isVariadic && isPassedOn }) else {
            return
        }
        throw ExpansionError(
            "\"\(name)\" cannot pass on its parameter \"\(parameter.type)\". Declare \(parameter.isPack ? "a tuple" : "an array"), "
                + "or exclude \"\(name)\" with @DependencyEndpointIgnored", isAboutDeclaration: true)
    }

    /// The value of a function that has not been implemented.
    private static func unimplemented(
        _ variable: Variable, _ closure: ClosureType, _ context: MacroContext
    ) throws(ExpansionError) -> String {
        let name = variable.plainName
        let report = "ComposableMacros._$reportUnimplemented(Self.self, \"\(name)\")"
        let parameters = closure.parameters.indices.map { "p\($0)" }
        let list = parameters.isEmpty ? "" : " \(parameters.joined(separator: ", ")) in"
        let keywords = (closure.isThrowing ? "try " : "") + (closure.isAsync ? "await " : "")
        if let value = variable.initialValue {
            let arguments = zip(closure.parameters, parameters).map { $0.passed($1) }
            return """
                {\(list)
                    \(report)
                    let fallback: \(closure.text) = \(value)
                    return \(keywords)fallback(\(arguments.joined(separator: ", ")))
                }
                """
        }
        let ignored = parameters.isEmpty ? "" : " \(parameters.map { _ in "_" }.joined(separator: ", ")) in"
        if closure.isThrowing, closure.errorType == nil {
            return """
                {\(ignored)
                    \(report)
                    throw ComposableMacros.Unimplemented("\(name)")
                }
                """
        }
        guard closure.isVoid else {
            throw ExpansionError(
                "\"\(name)\" needs a default value, because it returns a value and "
                    + (closure.errorType.map { "throws only \($0)" } ?? "does not throw")
                    + ": var \(name): \(variable.type ?? "") = { … }", isAboutDeclaration: true)
        }
        return "{\(ignored)\n    \(report)\n}"
    }

    /// A method with the labels that a call of a stored function cannot have.
    private static func method(
        _ name: String, _ variable: Variable, _ closure: ClosureType, _ context: MacroContext
    ) -> String {
        let parameters = closure.parameters.enumerated().map { index, parameter in
            "\(parameter.label ?? "_") p\(index): \(parameter.type)"
        }
        let arguments = closure.parameters.enumerated().map { $1.passed("p\($0)") }
        let waits = closure.isAsync || closure.hasOwnIsolation
        let keywords = (closure.isThrowing ? "try " : "") + (waits ? "await " : "")
        let effects =
            (waits && !closure.isAsync ? " async" : "") + (closure.effects.isEmpty ? "" : " \(closure.effects)")
        return """
            \(closure.isolation)\(context.declaration.access)func \(name)(\(parameters.joined(separator: ", ")))\(effects) -> \(closure.result) {
                \(keywords)self.\(variable.name)(\(arguments.joined(separator: ", ")))
            }
            """
    }
}
