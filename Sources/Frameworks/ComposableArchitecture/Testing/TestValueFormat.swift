/// How the failures of a test store show values.
enum TestValueFormat {
    /// As in version 0.7, for reducer values: all lines, without the names of outer types.
    case former
    /// As in current versions, for reducer types: what has not changed is shortened.
    case current

    /// Returns a value with its members.
    func text(of value: Any) -> String {
        switch self {
        case .former: debugOutput(value)
        case .current: String(customDumping: value)
        }
    }

    /// Returns the difference of two values; nil if they look the same.
    func difference<Value>(_ first: Value, _ second: Value) -> String? {
        switch self {
        case .former:
            guard let difference = debugDiff(first, second) else { return nil }
            guard difference.split(separator: "\n").count > 24 else { return difference }
            return LineDifference(debugOutput(first), debugOutput(second)).text(context: 3)
        case .current: return diff(first, second, format: .proportional)
        }
    }
}
