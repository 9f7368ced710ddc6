/// Expands macros for the compiler, which asks for each use of one.
///
/// It reads declarations with a parser of its own. Linking SwiftSyntax would take every user half a minute of building, and
/// the toolchain's copy needs unsafe flags, which versioned dependencies reject. See
/// `Docs/decisions/0043-macros-without-swift-syntax.md`.
package enum MacroService {
    /// Answers the compiler's messages on standard input until it closes it.
    package static func run() throws {
        let stream = MessageStream()
        while let message = try stream.receive() {
            switch message {
            case .getCapability: try stream.send(.capability)
            case .expandAttachedMacro(let request): try stream.send(reply(to: request))
            case .expandFreestandingMacro, .unknown: try stream.send(.expansion(nil, []))
            }
        }
    }

    private static func reply(to request: AttachedExpansion) -> PluginReply {
        do throws(ExpansionError) {
            return .expansion(try expand(request), [])
        } catch {
            let place = error.isAboutDeclaration ? request.declSyntax : request.attributeSyntax
            return .expansion("", [Diagnostic(error.message, at: place)])
        }
    }

    /// Returns the text that a macro adds.
    static func expand(_ request: AttachedExpansion) throws(ExpansionError) -> String {
        guard let macro = Macros.named(request.macro.typeName) else {
            throw ExpansionError("the plugin has no macro \(request.macro.typeName)")
        }
        guard let declaration = DeclarationParser.declaration(in: request.declSyntax.source) else {
            throw ExpansionError("@\(request.macro.typeName) cannot be applied here")
        }
        let context = MacroContext(
            declaration: declaration, attribute: Attribute.parsed(request.attributeSyntax.source),
            parent: request.parentDeclSyntax.flatMap { DeclarationParser.declaration(in: $0.source) },
            surrounding: request.lexicalContext?.first.flatMap { DeclarationParser.declaration(in: $0.source) },
            type: request.extendedTypeSyntax?.source.trimmed,
            missingConformances: request.conformanceListSyntax.flatMap {
                // The compiler lists them as the conformances of a type: `struct Placeholder: Reducer {}`.
                DeclarationParser.declaration(in: $0.source)?.inherited
            })
        guard let role = MacroRole(rawValue: request.macroRole) else { return "" }
        let pieces = try macro.expansion(role, context)
        switch role {
        case .memberAttribute: return pieces.joined(separator: " ")
        case .accessor: return pieces.isEmpty ? "" : "{\n\(pieces.joined(separator: "\n").indented)\n}"
        case .member, .peer, .extension: return pieces.joined(separator: "\n\n")
        }
    }
}

/// The way in which a macro is attached.
enum MacroRole: String {
    case accessor, member, memberAttribute, peer
    case `extension`
}

/// The declaration that a macro is expanded for.
struct MacroContext {
    let declaration: Declaration
    let attribute: Attribute?
    /// The declaration that contains the one of `declaration`, for attributes of members.
    let parent: Declaration?
    /// The declaration that contains the one of `declaration`, without its members.
    let surrounding: Declaration?
    /// The name of the type that an extension extends.
    let type: String?
    /// The protocols to which the type does not conform yet, for an extension.
    let missingConformances: [String]?

    /// Whether the extension must add the conformance to a protocol.
    func lacks(_ name: String) -> Bool {
        guard let missingConformances else { return true }
        return missingConformances.contains { $0.split(separator: ".").last?.trimmed == name }
    }
}

/// The reason why a macro cannot be expanded.
struct ExpansionError: Error, Equatable {
    let message: String
    let isAboutDeclaration: Bool

    init(_ message: String, isAboutDeclaration: Bool = false) {
        self.message = message
        self.isAboutDeclaration = isAboutDeclaration
    }
}

/// A macro: the text that it adds in each of its roles.
protocol ExpandableMacro {
    static func expansion(_ role: MacroRole, _ context: MacroContext) throws(ExpansionError) -> [String]
}

/// The macros of the plugin, by name.
enum Macros {
    static func named(_ name: String) -> (any ExpandableMacro.Type)? {
        switch name {
        case "CasePathableMacro": CasePathableMacro.self
        case "ReducerMacro": ReducerMacro.self
        case "DependencyClientMacro": DependencyClientMacro.self
        case "DependencyEndpointMacro": DependencyEndpointMacro.self
        case "DependencyEndpointIgnoredMacro", "ObservationStateIgnoredMacro", "ReducerCaseIgnoredMacro",
            "ReducerCaseEphemeralMacro":
            MarkerMacro.self
        case "ViewActionMacro": ViewActionMacro.self
        case "PresentsMacro": PresentsMacro.self
        case "ObservableStateMacro": ObservableStateMacro.self
        case "ObservationStateTrackedMacro": ObservationStateTrackedMacro.self
        default: nil
        }
    }
}

/// A macro that other macros look for, and that adds nothing.
enum MarkerMacro: ExpandableMacro {
    static func expansion(_ role: MacroRole, _ context: MacroContext) -> [String] { [] }
}

extension StringProtocol {
    /// The text without leading and trailing white space.
    var trimmed: String {
        var text = self[...]
        while let first = text.first, first.isWhitespace { text = text.dropFirst() }
        while let last = text.last, last.isWhitespace { text = text.dropLast() }
        return String(text)
    }
}

extension String {
    /// The text with each line indented by four spaces, except empty ones.
    var indented: String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
    }
}
