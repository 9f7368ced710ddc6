import Foundation

@testable import MacroExpansion

/// Expands a macro for a declaration, with the messages of the compiler.
func expansion(
    _ macro: String, _ role: MacroRole, attribute: String, of declaration: String, in parent: String? = nil,
    inside surrounding: String? = nil, extending type: String? = nil
) throws(ExpansionError) -> String {
    var request: [String: Any] = [
        "macro": ["moduleName": "MacroPlugin", "typeName": macro, "name": macro], "macroRole": role.rawValue,
        "discriminator": "", "attributeSyntax": syntax(attribute), "declSyntax": syntax(declaration),
    ]
    if let parent { request["parentDeclSyntax"] = syntax(parent) }
    if let surrounding { request["lexicalContext"] = [syntax(surrounding)] }
    if let type { request["extendedTypeSyntax"] = syntax(type) }
    guard let data = try? JSONSerialization.data(withJSONObject: ["expandAttachedMacro": request]),
        case .expandAttachedMacro(let message)? = try? JSONDecoder().decode(HostMessage.self, from: data)
    else { return "the request is not valid" }
    return try MacroService.expand(message)
}

private func syntax(_ source: String) -> [String: Any] {
    [
        "kind": "declaration", "source": source,
        "location": ["fileName": "A.swift", "offset": 0, "line": 1, "column": 1],
    ]
}
