import Glibc
public import HTTPModel
import StateCapture

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

    /// Returns the time since the system was started, including the time for which it was suspended. The server's event loops use the
    /// same clock.
    public static func uptime() -> MonotonicTime {
        MonotonicTime(nanoseconds: UInt64(SystemUptime.now.wholeNanoseconds))
    }
}
