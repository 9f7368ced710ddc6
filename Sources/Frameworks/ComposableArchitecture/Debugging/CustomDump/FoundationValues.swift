public import FoundationEssentials

extension Calendar: CustomDumpReflectable {
    /// The identifier and the settings.
    public var customDumpMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "identifier": identifier, "locale": locale as Any, "timeZone": timeZone, "firstWeekday": firstWeekday,
            "minimumDaysInFirstWeek": minimumDaysInFirstWeek,
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }
}

extension Data: CustomDumpStringConvertible {
    /// The number of bytes, with a comma before each three digits.
    public var customDumpDescription: String {
        let digits = Array("\(count)")
        let grouped = digits.indices.map { index in
            let isGroup = index > 0 && (digits.count - index).isMultiple(of: 3)
            return isGroup ? ",\(digits[index])" : "\(digits[index])"
        }
        return "Data(\(grouped.joined()) bytes)"
    }
}

extension Date: CustomDumpStringConvertible {
    /// The date in UTC with milliseconds, in ISO 8601 format.
    public var customDumpDescription: String {
        "Date(\(formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))))"
    }
}

extension Decimal: CustomDumpStringConvertible {
    /// The digits.
    public var customDumpDescription: String { description }
}

extension Locale: CustomDumpStringConvertible {
    /// The identifier.
    public var customDumpDescription: String { "Locale(\(identifier))" }
}

extension TimeZone: CustomDumpReflectable {
    /// The identifier, and the time that it has now.
    public var customDumpMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "identifier": identifier, "abbreviation": abbreviation() as Any, "secondsFromGMT": secondsFromGMT(),
            "isDaylightSavingTime": isDaylightSavingTime(),
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }
}

extension URL: CustomDumpStringConvertible {
    /// The absolute URL.
    public var customDumpDescription: String { "URL(\(absoluteString))" }
}

extension UUID: CustomDumpStringConvertible {
    /// The digits.
    public var customDumpDescription: String { "UUID(\(uuidString))" }
}
