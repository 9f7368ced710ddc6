extension Configuration {
    /// The keys of the server, except for those of the log, in the order of the help and of the file of defaults.
    static let keys =
        listenerKeys + requestKeys + timeoutKeys + http2Keys + tlsKeys + accessKeys + limitKeys + compressionKeys
        + sessionKeys + storageKeys + streamKeys + topicKeys + traceKeys

    /// The keys of the log, which follow a program's own keys.
    static let logKeys: [ConfigurationKey<Configuration>] = [
        ConfigurationKey("log.level", \.log.level, .choice, "The lowest level that is logged to standard error."),
        ConfigurationKey("log.format", \.log.format, .choice, "The format of log lines."),
        ConfigurationKey(
            "log.access", \.log.access, .boolean,
            "Whether a line is logged for each response, at level info: method, route, status, duration and sizes. It contains "
                + "no path, no value and no credential."),
        ConfigurationKey(
            "log.accessRate", \.log.accessRate, .number(in: 1...1_000_000),
            "The maximum number of access lines per second, which the loops share evenly. Further responses are counted, and "
                + "`suppressed` in the next line has their number."),
    ]
}

extension ClosedRange<Int> {
    static let anyCount = 1...1_000_000_000
}

extension ClosedRange<ByteCount> {
    static let anySize = ByteCount(bytes: 1)...ByteCount.mebibytes(1 << 20)
}

extension ClosedRange<Duration> {
    static let anyTime = Duration.milliseconds(1)...Duration.seconds(86_400 * 30)
}

extension ConfigurationFormat<Int?> {
    /// Counts for which 0 means no limit.
    static var limit: ConfigurationFormat {
        ConfigurationFormat<Int>.number(in: 0...1_000_000_000).mapped {
            $0 == 0 ? nil : $0
        } back: {
            $0 ?? 0
        }
    }
}

extension ConfigurationFormat<Duration?> {
    /// Durations for which zero means never.
    static var timeOrNever: ConfigurationFormat {
        let bounds = Duration.zero...ClosedRange<Duration>.anyTime.upperBound
        return ConfigurationFormat<Duration>.duration(in: bounds).mapped {
            $0 == .zero ? nil : $0
        } back: {
            $0 ?? .zero
        }
    }

    /// Durations of a property that can also be `nil`. No input sets it to `nil`.
    static func optionalDuration(in bounds: ClosedRange<Duration>) -> ConfigurationFormat {
        ConfigurationFormat<Duration>.duration(in: bounds).mapped {
            $0
        } back: {
            $0 ?? .zero
        }
    }
}

extension ConfigurationFormat<UInt16> {
    /// TCP ports, including 0.
    static var port: ConfigurationFormat {
        ConfigurationFormat<Int>.number(in: 0...65535).mapped {
            UInt16(truncatingIfNeeded: $0)
        } back: {
            Int($0)
        }
    }
}
