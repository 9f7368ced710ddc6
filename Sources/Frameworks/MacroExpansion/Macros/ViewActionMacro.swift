/// `@ViewAction`: the conformance of a view that sends the view actions of a feature.
enum ViewActionMacro: ExpandableMacro {
    static func expansion(_ role: MacroRole, _ context: MacroContext) -> [String] {
        guard role == .extension, let type = context.type, context.lacks("ViewActionSending") else { return [] }
        return ["extension \(type): ComposableMacros.ViewActionSending {\n}"]
    }
}
