import Glibc

/// A file system in memory of 80 MiB, which a test can fill.
final class SmallDisk {
    private static let bytes = 80 << 20

    /// Whether this process may mount one: root in most containers may not.
    static let isPermitted = (try? SmallDisk()) != nil

    private let directory: TestDirectory
    private var filler: String { directory.path + "/filler" }
    /// The path of the state directory.
    var path: String { directory.path + "/state" }

    init() throws {
        directory = try TestDirectory()
        let command = "mount -t tmpfs -o size=\(SmallDisk.bytes),mode=700 none \(directory.path) 2>/dev/null"
        guard system(command) == 0 else { throw TestDirectory.Failure(description: "expected to \(command)") }
    }

    deinit { _ = system("umount -l \(directory.path)") }

    /// Fills the disk as another program does, to the last block.
    func fill() {
        // More than it takes: the last write fails.
        TestDirectory.write([UInt8](repeating: 1, count: SmallDisk.bytes), to: filler)
    }

    /// Removes what was filled in.
    func empty() { unlink(filler) }
}
