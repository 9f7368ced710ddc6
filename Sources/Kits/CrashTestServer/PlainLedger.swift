import Foundation
import Observation
import StateCapture

/// A ledger as a plain observable class.
@Observable
final class PlainLedger: Resumable {
    private(set) var marks: [String] = []
    private(set) var count = 0

    func note(_ mark: String) {
        Trap.spring(by: mark)
        marks.append(mark)
        count += 1
    }

    /// Adds a mark after an hour. Reports on standard error if it is cancelled before.
    func noteLater(_ mark: String) async {
        do {
            try await Task.sleep(for: .seconds(3600))
            note(mark)
        } catch {
            FileHandle.standardError.write(Data("cancelled \(mark)\n".utf8))
        }
    }

    /// Adds a mark for each call that was interrupted.
    func resumed(_ interrupted: [InterruptedWork]) {
        for work in interrupted { note("interrupted \(work.name)") }
    }
}
