/// The languages in which types of machines are written.
package enum TypesLanguage: String, CaseIterable, Sendable {
    case typescript
    case swift

    /// Returns the types of machines.
    ///
    /// - Parameter hash: The hash of the contract, which the header names.
    package func text(of contract: MachineContract, hash: String) -> String {
        switch self {
        case .typescript: TypeScriptTypes.text(of: contract, hash: hash)
        case .swift: SwiftTypes.text(of: contract, hash: hash)
        }
    }
}
