import Foundation
import Testing

/// `granary new` writes a package. `Scripts/test-templates` builds and tests what it writes.
@Suite struct NewPackageTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("granary-new-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    private func new(_ arguments: String...) throws -> (status: Int32, standardOutput: String, standardError: String) {
        try GranaryProcess(["new"] + arguments, directory: folder).outcome()
    }

    private func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path)
    }

    @Test func `a package is created once, and nothing is overwritten`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let created = try new("todo", "--granary", "nowhere/granary")
        #expect(created.status == 0)
        #expect(created.standardOutput.contains("todo/Sources/TodoModel/Counter.swift\n"))
        #expect(created.standardError.contains("expects a checkout of Granary in ../nowhere/granary, which is missing"))
        #expect(exists("todo/Sources/TodoModel/Counter.swift") && exists("todo/.gitignore"))

        try Data("mine".utf8).write(to: folder.appendingPathComponent("todo/Package.swift"))
        let again = try new("todo", "--style", "unio")
        #expect(again.status == 2)
        #expect(again.standardError.contains("todo exists"))
        #expect(try String(contentsOf: folder.appendingPathComponent("todo/Package.swift"), encoding: .utf8) == "mine")
    }

    @Test func `wrong arguments are refused with a reason, and leave nothing`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        for (arguments, reason) in [
            ([], "new requires NAME"), (["a", "b"], "expected one NAME"), (["../x"], "expected a name"),
            (["a", "--style"], "--style requires a value"), (["a", "--style", "redux"], "expected one of"),
            (["a", "--styel=unio"], "expected --style or --granary"), (["a", "--granary="], "--granary: expected"),
        ] {
            let outcome = try GranaryProcess(["new"] + arguments, directory: folder).outcome()
            #expect(outcome.status == 2 && outcome.standardError.contains(reason), "\(arguments)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        #expect(try new("--help").standardOutput.contains("granary new NAME"))
        #expect(try GranaryProcess(["neww"], directory: folder).outcome().standardError.contains("did you mean new?"))
    }
}
