/// How links call themselves in descriptions.
enum LinkName {
    /// The name of the operator or source: `Inner` and `Connection` stand inside the type that they belong to.
    static func of(_ type: Any.Type) -> String {
        if let named = type as? any NamedSource.Type { return named.subscriptionName }
        let full = String(reflecting: type)
        let bare = full.prefix { $0 != "<" }
        return bare.split(separator: ".").last.map(String.init) ?? full
    }
}

/// A source whose subscriptions are not called after its type.
protocol NamedSource {
    static var subscriptionName: String { get }
}
