import Contract
import FoundationEssentials
import MachineHost

/// Runs the command `contract`: prints what clients can rely on, or compares it with a file.
struct ContractRun {
    /// The program's name.
    let program: String
    /// Prints lines to standard output.
    let print: (String) -> Void
    let printError: (String) -> Void

    /// Runs the command.
    ///
    /// - Parameter file: The contract to compare them with; nil to print theirs.
    /// - Returns: The exit status: 0 for success, 1 if there is any difference or the file cannot be read.
    func run(_ machines: [MachineDefinition], comparingWith file: String?) -> Int32 {
        let contract = MachineContract(machines)
        for port in contract.untyped { printError("warning: \(port) accepts anything, because its type is not known") }
        guard let file else {
            print(contract.text)
            return 0
        }
        do throws(ContractError) {
            // Read from its text, so that what both files contain is compared.
            let newer = try MachineContract(reading: Array(contract.text.utf8))
            return report(try ContractRun.contract(of: file).differences(to: newer), file)
        } catch {
            printError("\(file): \(error)")
            return 1
        }
    }

    private func report(_ differences: [ContractDifference], _ file: String) -> Int32 {
        guard !differences.isEmpty else {
            print("\(file): no differences")
            return 0
        }
        for difference in differences {
            let effect = difference.effect.rawValue
            print("\(effect)\(String(repeating: " ", count: 12 - effect.count))\(difference.description)")
        }
        func count(_ effect: ContractDifference.Effect) -> Int { differences.filter { $0.effect == effect }.count }
        printError(
            "\(file): \(count(.breaking)) breaking, \(count(.exposing)) exposing and \(count(.compatible)) compatible "
                + "differences. To accept them, write the file again: \(program) contract > \(file)")
        return 1
    }

    private static func contract(of file: String) throws(ContractError) -> MachineContract {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: file))
        } catch {
            throw ContractError(description: "could not be read: \(FileErrorText.reason(of: error))")
        }
        return try MachineContract(reading: Array(data))
    }
}
