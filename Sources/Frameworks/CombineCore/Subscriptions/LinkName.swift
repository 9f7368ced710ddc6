/// The names that conduits show in descriptions.
enum LinkName {
    /// Returns the name of an operator or source. `Inner` and `Connection` are nested in the type that they belong to.
    static func of(_ type: Any.Type) -> String {
        if let named = type as? any NamedSource.Type { return named.subscriptionName }
        let full = _typeName(type)
        let bare = full.prefix { $0 != "<" }
        return bare.split(separator: ".").last.map(String.init) ?? full
    }
}

/// A source whose subscriptions do not carry the name of its type.
protocol NamedSource {
    static var subscriptionName: String { get }
}
