import Glibc

// Detects whether the files of a directory are where they were written, or copies.
extension JournalDirectory {
    /// The file whose mark the database knows.
    private var place: String { database + "-place" }

    /// The mark that distinguishes the directory from every copy, also from one that was put in its place; nil if the file is missing.
    // The time of the last change of the file's status, which only the kernel sets. Copying the file, also over this one and with all
    // its attributes, leads to another time; renaming the directory does not, and neither does a reboot. The numbers of inodes and
    // devices are not always the same after a reboot.
    var mark: [UInt8]? {
        var status = stat()
        guard lstat(place, &status) == 0 else { return nil }
        return withUnsafeBytes(of: (Int64(status.st_ctim.tv_sec), Int64(status.st_ctim.tv_nsec))) { Array($0) }
    }

    /// Creates the file anew. Returns its mark; nil if that is not possible, such as on a full disk.
    func makeMark() -> [UInt8]? {
        unlink(place)
        let descriptor = open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // A loss of power must not change it.
        guard fsync(descriptor) == 0, (try? JournalDirectory.synchronize(path)) != nil else { return nil }
        return mark
    }
}
