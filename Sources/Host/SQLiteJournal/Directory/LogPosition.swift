import CSQLite
import Glibc

/// A commit in a write-ahead log (https://sqlite.org/fileformat2.html#walformat).
struct LogPosition: Equatable {
    /// Identifies the content of the log since its last restart, which increases it by one; 0 if it is not known.
    var salt: UInt32
    /// The number of frames up to the commit; 0 if there is none.
    var frames: UInt32

    /// The position of a log from which nothing is needed.
    static let nothing = LogPosition(salt: 0, frames: 0)

    /// Returns whether a log up to a position contains everything up to this one.
    func isContained(in found: LogPosition) -> Bool {
        if salt == 0 || frames == 0 { return true }
        // A log is restarted when the database contains all of it. After a loss of power, it may have been restarted more than once.
        guard found.salt == salt else { return found.salt != 0 && Int32(bitPattern: found.salt &- salt) > 0 }
        return found.frames >= frames
    }
}

/// The file of a write-ahead log.
enum LogFile {
    /// Returns the last commit that SQLite finds in a log: it ignores everything from the first frame on that is cut or damaged, and
    /// reports nothing.
    static func lastCommit(in path: String) -> LogPosition {
        guard let reader = LogReader(path) else { return .nothing }
        var (frames, last): (UInt32, UInt32) = (0, 0)
        while let commit = reader.nextFrame() {
            frames += 1
            if commit { last = frames }
        }
        return LogPosition(salt: reader.salt, frames: last)
    }

    /// Returns the salt of a log; 0 if it is empty.
    static func salt(of path: String) -> UInt32 {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return 0 }
        defer { close(descriptor) }
        var salt: UInt32 = 0
        return pread(descriptor, &salt, 4, 16) == 4 ? UInt32(bigEndian: salt) : 0
    }
}

/// Reads the frames of a log, and verifies them as SQLite does.
private final class LogReader {
    private static let headerSize = 32
    private static let frameHeaderSize = 24

    let salt: UInt32
    private let salts: UInt64
    private let isBigEndian: Bool
    private var first: UInt32 = 0
    private var second: UInt32 = 0
    private let frame: UnsafeMutableRawBufferPointer
    private let file: UnsafeMutablePointer<FILE>

    /// Reads the header; nil if there is no log, or its header is damaged.
    init?(_ path: String) {
        guard let file = fopen(path, "re") else { return nil }
        var header = [UInt32](repeating: 0, count: LogReader.headerSize / 4)
        let isComplete = fread(&header, 1, LogReader.headerSize, file) == LogReader.headerSize
        let magic = UInt32(bigEndian: header[0])
        let pageSize = Int(UInt32(bigEndian: header[2]))
        isBigEndian = magic & 1 == 1
        granary_log_checksum(header, 24, isBigEndian, &first, &second)
        salt = UInt32(bigEndian: header[4])
        salts = UInt64(header[4]) | UInt64(header[5]) << 32
        self.file = file
        frame = .allocate(byteCount: LogReader.frameHeaderSize + min(pageSize, 1 << 16), alignment: 8)
        guard isComplete, magic & ~1 == 0x377f_0682, (512...(1 << 16)).contains(pageSize),
            first == UInt32(bigEndian: header[6]), second == UInt32(bigEndian: header[7])
        else { return nil }
    }

    deinit {
        fclose(file)
        frame.deallocate()
    }

    /// Reads the next frame. Returns whether it ends a transaction; nil if there is no further valid frame.
    func nextFrame() -> Bool? {
        guard fread(frame.baseAddress, 1, frame.count, file) == frame.count,
            frame.load(as: UInt32.self) != 0, frame.load(fromByteOffset: 8, as: UInt64.self) == salts
        else { return nil }
        granary_log_checksum(frame.baseAddress, 8, isBigEndian, &first, &second)
        let page = UnsafeRawBufferPointer(rebasing: frame[LogReader.frameHeaderSize...])
        granary_log_checksum(page.baseAddress, page.count, isBigEndian, &first, &second)
        guard first == UInt32(bigEndian: frame.load(fromByteOffset: 16, as: UInt32.self)),
            second == UInt32(bigEndian: frame.load(fromByteOffset: 20, as: UInt32.self))
        else { return nil }
        return frame.load(fromByteOffset: 4, as: UInt32.self) != 0
    }
}
