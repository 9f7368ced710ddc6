/// A quantity that people write as whole numbers with units, such as `15s`, `1h30m` or `64KiB`.
///
/// A number without a unit is refused: `timeout: 30` has been both seconds and milliseconds
/// often enough.
protocol QuantityText: BoundedConfigurationValue {
    /// The units, smallest first; the first has size 1.
    static var units: [QuantityUnit] { get }

    /// What a reader should have written, for messages.
    static var noun: String { get }

    /// The quantity counted in the smallest unit.
    var smallestUnits: Int64 { get }

    init(smallestUnits: Int64)
}

/// A unit of a quantity and how many of the smallest unit it is.
struct QuantityUnit: Sendable {
    let symbol: String
    let size: Int64
}

extension QuantityText {
    static var expectation: String { noun }

    /// The shortest exact spelling: the largest unit that divides the quantity.
    var text: String {
        let count = smallestUnits
        let exact = Self.units.last { count % $0.size == 0 && count != 0 } ?? Self.units[0]
        return "\(count / exact.size)\(exact.symbol)"
    }

    var literal: String { JSON5Text.quoted(text) }

    static func bounds(_ bounds: ClosedRange<Self>) -> String {
        "from \(bounds.lowerBound.text) to \(bounds.upperBound.text)"
    }

    init?(text: String) {
        var rest = Substring(text)
        var total: Int64 = 0
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            guard let part = Self.takePart(from: &rest) else { return nil }
            let (sum, overflow) = total.addingReportingOverflow(part)
            guard !overflow else { return nil }
            total = sum
        }
        self.init(smallestUnits: total)
    }

    init?(json: JSON5Value) {
        guard case .string(let text) = json else { return nil }
        self.init(text: text)
    }

    private static func takePart(from rest: inout Substring) -> Int64? {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        let symbol = rest.dropFirst(digits.count).prefix { $0.isLetter }
        guard let count = Int64(digits), let unit = units.first(where: { $0.symbol == symbol }) else { return nil }
        rest = rest[symbol.endIndex...]
        let (product, overflow) = count.multipliedReportingOverflow(by: unit.size)
        return overflow ? nil : product
    }
}

extension Duration: QuantityText {
    static let units: [QuantityUnit] = [
        QuantityUnit(symbol: "ms", size: 1),
        QuantityUnit(symbol: "s", size: 1_000),
        QuantityUnit(symbol: "m", size: 60_000),
        QuantityUnit(symbol: "h", size: 3_600_000),
    ]

    static let noun = "a duration with its unit (ms, s, m, h), such as \"15s\""

    var smallestUnits: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }

    init(smallestUnits: Int64) {
        self = .milliseconds(smallestUnits)
    }
}
