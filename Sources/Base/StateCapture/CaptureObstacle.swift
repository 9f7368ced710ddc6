/// A property or operator that keeps a machine from being captured.
public struct CaptureObstacle: Error, Hashable, Sendable, CustomStringConvertible {
    /// The property with its type's name, or the operator: `CounterStore.token`, `debounce`.
    public let part: String
    /// The type that would have to be `Codable`.
    public let type: String
    /// The remedy, as a clause; nil if it is to make the type `Codable`.
    public let advice: String?

    /// Creates an obstacle.
    public init(part: String, type: String, advice: String? = nil) {
        self.part = part
        self.type = type
        self.advice = advice
    }

    /// The obstacle as a clause.
    public var description: String {
        "\(part) holds a value of type \(type), which is not Codable\(advice.map { ": \($0)" } ?? "")"
    }
}
