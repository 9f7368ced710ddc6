import DemoMachines
import Foundation
import Granary
import RicemillAdapter

let arguments = Array(CommandLine.arguments.dropFirst())

// `pages` serves one page of 2 KB. Every other command is granary's own, with two counters as its machines.
if arguments.first == "pages" {
    guard let pages = PageServer(arguments: Array(arguments.dropFirst())) else {
        let usage = "http-bench-server pages PORT SECURE-PORT LOOPS CERTIFICATE KEY | serve …\n"
        FileHandle.standardError.write(Data(usage.utf8))
        exit(64)
    }
    try pages.start()
    // The server ends with the process, which the benchmark terminates.
    while true { pause() }
} else {
    await Granary.serve { _ in
        var counter = try MachineDefinition.ricemill("counter", summary: "Counts up and down.") { _ in
            CounterViewModel(input: .init(), store: .init(), extra: .init())
        }
        counter.hibernates = true
        return [counter, try .observedCounter()]
    }
}
