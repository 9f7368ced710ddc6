import Foundation
import MachineHost
import Testing

@testable import Granary

/// The file in which loops note their turns.
struct TurnSlotFileTests {
    private let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path

    init() throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    }

    private var size: off_t {
        var status = stat()
        return stat(directory + "/turns", &status) == 0 ? status.st_size : -1
    }

    @Test func `the file has its size before it is mapped, and is used again`() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        var reserved: [Int] = []
        for _ in 0..<2 {
            let slots = try TurnSlotFile.open(in: directory) { descriptor, size in
                reserved.append(size)
                return posix_fallocate(descriptor, 0, size)
            }
            #expect(try #require(slots).count == 256)
            #expect(size == 16_384)
        }
        #expect(reserved == [16_384, 16_384])
    }

    @Test(arguments: [ENOSPC, EDQUOT])
    func `without room on the disk, no turns are noted`(error: Int32) throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        #expect(try TurnSlotFile.open(in: directory) { _, _ in error } == nil)
        // The next process may find room.
        #expect(try TurnSlotFile.open(in: directory) != nil)
    }

    @Test func `an interrupted call is repeated, and another error is reported`() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        var errors: [Int32] = [EINTR, EINTR, EIO]
        #expect {
            try TurnSlotFile.open(in: directory) { _, _ in errors.removeFirst() }
        } throws: { error in
            "\(error)".contains("to reserve 16384 bytes for \(directory)/turns, got Input/output error")
        }
        #expect(errors.isEmpty)
    }
}
