import Glibc

/// The metrics that the system keeps about this process, under the names that Prometheus' own clients use.
public enum ProcessMetrics {
    private static let processor = MetricFamily.counter(
        "process_cpu_seconds", "Processor time of the process, in seconds.")
    private static let memory = MetricFamily.gauge("process_resident_memory_bytes", "Resident memory, in bytes.")
    private static let descriptors = MetricFamily.gauge("process_open_fds", "Open file descriptors.")
    private static let descriptorLimit = MetricFamily.gauge("process_max_fds", "The limit of open file descriptors.")
    private static let start = MetricFamily.gauge(
        "process_start_time_seconds", "The start of the process, in seconds since 1970.")

    /// Adds the current values. Values that the system does not report are omitted.
    public static func add(to snapshot: inout MetricSnapshot) {
        var usage = rusage()
        if getrusage(RUSAGE_SELF.rawValue, &usage) == 0 {
            snapshot.set(processor, to: seconds(usage.ru_utime) + seconds(usage.ru_stime))
        }
        // The second number is the resident pages.
        if let pages = text("/proc/self/statm").split(separator: " ").dropFirst().first.flatMap({ Double($0) }) {
            snapshot.set(memory, to: pages * Double(sysconf(Int32(_SC_PAGESIZE))))
        }
        if let count = openDescriptors() { snapshot.set(descriptors, to: Double(count)) }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            snapshot.set(descriptorLimit, to: Double(limit.rlim_cur))
        }
        if let began { snapshot.set(start, to: began) }
    }

    /// The start of the process in seconds of Unix time.
    private static let began: Double? = {
        // After the name, which is in parentheses and may contain anything: the twentieth field is the start in ticks.
        let fields = text("/proc/self/stat").split(separator: ")").last?.split(separator: " ") ?? []
        let boot = text("/proc/stat").split(separator: "\n").first { $0.hasPrefix("btime ") }?.dropFirst(6)
        guard fields.count > 19, let ticks = Double(fields[19]), let boot = boot.flatMap({ Double($0) }) else {
            return nil
        }
        return boot + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }()

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

    private static func openDescriptors() -> Int? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Without `.`, `..` and the folder itself.
        return count - 3
    }

    private static func text(_ path: String) -> String {
        guard let file = fopen(path, "re") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 256 << 10)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
