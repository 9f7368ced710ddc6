/// The way in which the machine of a new package is written.
package enum PackageStyle: String, CaseIterable, Sendable {
    case observable
    case ricemill
    case unio
    case composable

    /// Creates a style from its name.
    ///
    /// - Throws: An error that lists the names.
    package init(_ name: String) throws(PackageTemplateError) {
        guard let style = Self(rawValue: name) else {
            let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw PackageTemplateError("--style: expected one of \(names), got \"\(name)\"")
        }
        self = style
    }

    /// The description of the machine in the README.
    var title: String {
        switch self {
        case .observable: "an `@Observable` class"
        case .ricemill: "a Ricemill machine"
        case .unio: "a Unio stream"
        case .composable: "a feature of the Composable Architecture"
        }
    }

    /// The products of Granary that the source of the machine needs.
    var products: [String] {
        switch self {
        case .observable: []
        case .ricemill: ["Combine", "Ricemill"]
        case .unio: ["RxCore", "Unio"]
        case .composable: ["ComposableMacros"]
        }
    }

    /// The source of the machine.
    var counter: String {
        switch self {
        case .observable: ObservableSource.counter
        case .ricemill: RicemillSource.counter
        case .unio: UnioSource.counter
        case .composable: ComposableSource.counter
        }
    }

    /// The products of Granary that the registration imports, and its expression.
    var registration: (imports: [String], expression: String) {
        switch self {
        case .observable: ([], ObservableSource.registration)
        case .ricemill: (["RicemillAdapter"], RicemillSource.registration)
        case .unio: (["UnioAdapter"], UnioSource.registration)
        case .composable: (["ComposableAdapter", "ComposableMacros"], ComposableSource.registration)
        }
    }
}
