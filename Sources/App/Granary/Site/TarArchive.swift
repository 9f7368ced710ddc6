/// Archives of files in the format ustar (POSIX.1-1988, `pax`).
enum TarArchive {
    private static let blockSize = 512
    /// The time of all files, so that equal files are equal archives. The one of npm's packages: some programs warn of 1970.
    private static let time = 499_162_500

    /// Returns an archive of files by their paths, which have at most 100 bytes.
    static func bytes(of files: [PageFile]) -> [UInt8] {
        files.flatMap { header($0) + $0.content + zeros(after: $0.content) }
            + [UInt8](repeating: 0, count: 2 * blockSize)
    }

    private static func header(_ file: PageFile) -> [UInt8] {
        precondition(file.path.utf8.count <= 100, "expected a path of at most 100 bytes, got \(file.path)")
        // The name, mode, owner, group, size, time, checksum, type, linked name, magic and version. The checksum is computed with spaces in
        // its place.
        let fields: [(text: String, width: Int)] = [
            (file.path, 100), ("0000644", 8), ("0000000", 8), ("0000000", 8), (octal(file.content.count, 11), 12),
            (octal(time, 11), 12), (String(repeating: " ", count: 8), 8), ("0", 1), ("", 100), ("ustar", 6), ("00", 2),
        ]
        var header = fields.flatMap { field in
            Array(field.text.utf8) + [UInt8](repeating: 0, count: field.width - field.text.utf8.count)
        }
        let sum = header.reduce(0) { $0 + Int($1) }
        header.replaceSubrange(148..<156, with: Array("\(octal(sum, 6))\0 ".utf8))
        return header + zeros(after: header)
    }

    private static func octal(_ number: Int, _ width: Int) -> String {
        let digits = String(number, radix: 8)
        return String(repeating: "0", count: width - digits.count) + digits
    }

    /// Returns what fills the last block of a part.
    private static func zeros(after part: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: (blockSize - part.count % blockSize) % blockSize)
    }
}
