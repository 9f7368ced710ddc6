import Foundation
import MachineHost
import MachineTesting
import Testing

/// Recordings of the demos that earlier builds have made, as test data: this build must continue the sessions in them, and do
/// the same with their inputs.
///
/// Set `GRANARY_RECORD` to the name of a build to add recordings of this one. Those of released versions are never changed.
struct RecordedDemoTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Recordings")

    static let demos: [MachineCase] =
        [.counter, .counterPublishers, .gitHubSearchWithEffects, .unioSearchWithEffects, .ticTacToe]
        + UnioConformanceTests.demos.prefix(1)
        + DemoResumptionTests.composable.filter { !usingTasks.contains($0.description) }

    /// The demos whose effects are tasks. A record does not describe when the parts of a task run.
    private static let usingTasks: Set = ["composable-form", "composable-search", "sync-ups"]

    @Test(arguments: demos)
    func `sessions that earlier builds have stored continue as they were recorded`(machine: MachineCase) throws {
        if let build = ProcessInfo.processInfo.environment["GRANARY_RECORD"] { try record(machine, build) }
        let builds = try FileManager.default.contentsOfDirectory(
            at: RecordedDemoTests.folder, includingPropertiesForKeys: nil)
        var count = 0
        for build in builds {
            let recordings = try FileManager.default.contentsOfDirectory(at: build, includingPropertiesForKeys: nil)
            for file in recordings where file.lastPathComponent.hasPrefix("\(machine.definition.name).") {
                let text = try String(contentsOf: file, encoding: .utf8)
                do {
                    try assertReplays(text, machine.definition)
                } catch {
                    Issue.record("\(build.lastPathComponent)/\(file.lastPathComponent): \(error)")
                }
                count += 1
            }
        }
        #expect(count >= (isCaptured(machine) ? 2 : 1))
    }

    /// Whether everything that the demo has in progress is captured, so that a recording may begin at any moment.
    private func isCaptured(_ machine: MachineCase) -> Bool {
        DemoResumptionTests.captured.contains { $0.description == machine.description }
    }

    /// Records the script of a demo: from its creation, and from a moment in the middle, when something may be in progress.
    private func record(_ machine: MachineCase, _ build: String) throws {
        let folder = RecordedDemoTests.folder.appending(path: build)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, turns) in [("creation", nil), ("middle", 3)] as [(String, Int?)]
        where turns == nil || isCaptured(machine) {
            let file = folder.appending(path: "\(machine.definition.name).\(name).json")
            try machine.recording(storedAsAWholeAfter: turns).write(to: file, atomically: true, encoding: .utf8)
        }
    }
}
