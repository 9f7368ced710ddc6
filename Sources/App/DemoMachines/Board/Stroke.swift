/// The color of a field.
public enum FieldColor: String, Codable, Sendable, CaseIterable {
    case white
    case red
    case yellow
    case green
    case blue
}

/// A field and its new color.
public struct Stroke: Codable, Equatable, Sendable {
    /// The number of the field, row by row from 0 to 15.
    public var field: Int
    /// The color.
    public var color: FieldColor

    /// Creates a stroke.
    public init(field: Int, color: FieldColor) {
        self.field = field
        self.color = color
    }
}
