package import MachineHost

extension TypesLanguage {
    /// Returns whether a text begins as the types in all languages do.
    package static func hasWritten(_ text: String) -> Bool { text.hasPrefix(TypesHeader.mark) }

    /// Returns the types of the machines of a contract. The header names the contract by its hash.
    package func text(of contract: MachineContract) -> String {
        let hash = contract.hash
        return switch self {
        case .typescript: TypeScriptTypes.text(of: contract, hash: hash)
        case .swift: SwiftTypes.text(of: contract, hash: hash)
        }
    }
}
