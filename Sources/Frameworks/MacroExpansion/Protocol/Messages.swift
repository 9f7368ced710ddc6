/// A message of the compiler.
enum HostMessage: Decodable {
    case getCapability
    case expandAttachedMacro(AttachedExpansion)
    case expandFreestandingMacro
    /// A request of a newer compiler.
    case unknown

    private enum Keys: String, CodingKey {
        case getCapability, expandAttachedMacro, expandFreestandingMacro
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        if container.contains(.getCapability) {
            self = .getCapability
        } else if container.contains(.expandAttachedMacro) {
            self = .expandAttachedMacro(try container.decode(AttachedExpansion.self, forKey: .expandAttachedMacro))
        } else if container.contains(.expandFreestandingMacro) {
            self = .expandFreestandingMacro
        } else {
            self = .unknown
        }
    }
}

/// The request to expand an attached macro.
struct AttachedExpansion: Decodable {
    struct Reference: Decodable {
        let typeName: String
    }

    struct Syntax: Decodable {
        struct Location: Decodable {
            let fileName: String?
            let offset: Int?
        }

        let source: String
        let location: Location?
    }

    let macro: Reference
    let macroRole: String
    let attributeSyntax: Syntax
    let declSyntax: Syntax
    let parentDeclSyntax: Syntax?
    let extendedTypeSyntax: Syntax?
    let conformanceListSyntax: Syntax?
    let lexicalContext: [Syntax]?
}

/// A message to the compiler.
struct PluginReply: Encodable {
    private let name: String
    private let content: Content

    private enum Content {
        case capability
        case expansion(source: String?, [Diagnostic])
    }

    static var capability: PluginReply { PluginReply(name: "getCapabilityResult", content: .capability) }

    static func expansion(_ source: String?, _ diagnostics: [Diagnostic]) -> PluginReply {
        PluginReply(name: "expandMacroResult", content: .expansion(source: source, diagnostics))
    }

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        var inner = container.nestedContainer(keyedBy: Key.self, forKey: Key(name))
        switch content {
        case .capability:
            var capability = inner.nestedContainer(keyedBy: Key.self, forKey: Key("capability"))
            // Version 7 introduced `expandMacroResult`, which is what this program sends.
            try capability.encode(7, forKey: Key("protocolVersion"))
        case .expansion(let source, let diagnostics):
            try inner.encodeIfPresent(source, forKey: Key("expandedSource"))
            try inner.encode(diagnostics, forKey: Key("diagnostics"))
        }
    }
}

/// A diagnostic of a macro, shown by the compiler.
struct Diagnostic: Encodable, Equatable {
    struct Position: Encodable, Equatable {
        let fileName: String
        let offset: Int
    }

    let message: String
    let severity: String
    let position: Position
    private let highlights: [Position] = []
    private let notes: [Position] = []
    private let fixIts: [Position] = []

    private enum CodingKeys: String, CodingKey {
        case message, severity, position, highlights, notes, fixIts
    }

    init(_ message: String, severity: String = "error", at syntax: AttachedExpansion.Syntax) {
        self.message = message
        self.severity = severity
        position = Position(
            fileName: syntax.location?.fileName ?? "", offset: syntax.location?.offset ?? 0)
    }
}
