/// The forms in which a host describes itself and its machines. Each is a document of the host and one of each machine.
package enum DescriptionForm: Hashable, CaseIterable, Sendable {
    /// OpenAPI 3.1.
    case openAPI
    /// The types of parameters, inputs, outputs and events in a language.
    case types(TypesLanguage)

    package static let allCases = [openAPI] + TypesLanguage.allCases.map(types)

    /// The path of the document of the host, and the end of the path of a machine's.
    package var path: StaticString {
        switch self {
        case .openAPI: "/openapi.json"
        case .types(.typescript): "/types.d.ts"
        case .types(.swift): "/types.swift"
        }
    }

    /// The media type. No language has a registered one: the usual one of `.ts` is a video.
    package var mediaType: String {
        switch self {
        case .openAPI: "application/json"
        case .types: "text/plain"
        }
    }
}
