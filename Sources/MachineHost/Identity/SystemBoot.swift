import Glibc

/// The run of the operating system since it was started.
public enum SystemBoot {
    /// Returns its random name; nil if the system does not tell it.
    public static func id() -> String? {
        guard let file = fopen("/proc/sys/kernel/random/boot_id", "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = fread(&bytes, 1, bytes.count, file)
        let text = String(decoding: bytes.prefix(count).prefix { $0 > 0x20 }, as: UTF8.self)
        return text.isEmpty ? nil : text
    }
}
