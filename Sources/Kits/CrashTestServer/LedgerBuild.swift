import Foundation
import StateCapture

/// The build of the ledgers that this process is, so that a test deploys another one.
///
/// The file that `CRASH_TEST_BUILD` names contains its number. Build 2 has a version of the state of its own, whose migration adds
/// a mark to every list that has one.
struct LedgerBuild {
    /// The mark that the migration adds.
    private static let migrated = StateValue.string("migrated")

    let version: Int
    var migrations: [Int: StateMigration] { version > 1 ? [1: LedgerBuild.addMark] : [:] }

    /// The build that the file names; the first one without a file.
    static var current: LedgerBuild {
        let path = ProcessInfo.processInfo.environment["CRASH_TEST_BUILD"] ?? ""
        let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return LedgerBuild(version: Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 1)
    }

    private static let addMark: StateMigration = { state in
        for key in state.keys { try state.change(key, marked) }
    }

    /// Returns a value with the mark in each list of marks, also in those that operators hold.
    private static func marked(_ value: StateValue) -> StateValue {
        switch value {
        case .array(let elements):
            if let first = elements.first?.text, first.hasPrefix("m"), Int(first.dropFirst()) != nil {
                return .array(elements + [migrated])
            }
            return .array(elements.map(marked))
        case .object(let members): return .object(members.mapValues(marked))
        default: return value
        }
    }
}
