import Contract
import MachineHost

/// Runs the command `types`: prints the types of the machines for clients.
struct TypesRun {
    /// The program's name.
    let program: String
    /// Prints lines to standard output.
    let print: (String) -> Void
    let printError: (String) -> Void

    /// Runs the command.
    ///
    /// - Parameter name: The machine whose types are printed; nil for all of them.
    /// - Returns: The exit status: 0 for success, 1 if the machine does not exist.
    func run(_ language: TypesLanguage, _ machines: [MachineDefinition], machine name: String?) -> Int32 {
        let chosen = machines.filter { name == nil || $0.name == name }
        if let name, chosen.isEmpty {
            let names = machines.map(\.name)
            printError(
                "\(program): no such machine: \(name)\(Nearest.hint(for: name, among: names)); expected one of "
                    + names.joined(separator: ", "))
            return 1
        }
        let contract = MachineContract(chosen)
        for port in contract.untyped { printError("warning: \(port) accepts anything, because its type is not known") }
        print(language.text(of: contract))
        return 0
    }
}
