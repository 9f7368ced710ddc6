import ComposableAdapter
import MachineAdapters
import MachineHost
import RicemillAdapter
import Unio
import UnioAdapter

/// One machine of each style. Each lists the marks of its inputs, so that a checker can tell which of them ran.
enum LedgerMachines {
    static func definitions() throws -> [MachineDefinition] {
        var definitions: [MachineDefinition] = [
            try .ricemill("ricemill", summary: "Lists marks.") { _ in
                RicemillLedger(input: .init(), store: .init(), extra: .init())
            },
            try .unio("unio", summary: "Lists marks.") { _ in
                UnioLedger(input: .init(), state: .init(), extra: .init())
            },
            try .composable("composable", summary: "Lists marks.") { _ in
                ComposableLedger.store()
            },
            try .ricemill("observable", summary: "Lists marks.") { _ in ObservableLedger() },
            try .observable(
                "plain", summary: "Lists marks.",
                outputs: [.value("marks", \.marks), .value("count", \.count)],
                inputs: [.call("note", PlainLedger.note(_:)), .call("noteLater", PlainLedger.noteLater(_:))]
            ) { _ in PlainLedger() },
        ]
        // By name, so that a machine that cannot be captured is rejected instead of ending with its process.
        for index in definitions.indices { definitions[index].durability = .disk }
        let build = LedgerBuild.current
        return definitions.map { $0.versioned(build.version, migrations: build.migrations) }
    }
}
