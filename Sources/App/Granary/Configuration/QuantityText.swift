// A number without a unit is rejected, because it is ambiguous: `timeout: 30` could mean seconds or milliseconds.
/// A quantity that is written as whole numbers with units, such as `15s`, `1h30m` or `64KiB`.
protocol QuantityText: Comparable, Sendable {
    /// The units in ascending order. The first has size 1.
    static var units: [QuantityUnit] { get }

    /// A description of valid values, for messages.
    static var expectation: String { get }

    /// The quantity in the smallest unit.
    var smallestUnits: Int64 { get }

    init(smallestUnits: Int64)
}

/// A unit and its size in the smallest unit.
struct QuantityUnit: Sendable {
    let symbol: String
    let size: Int64
}

extension QuantityText {
    /// The quantity in the largest unit that makes it a whole number.
    var text: String {
        let count = smallestUnits
        let exact = Self.units.last { count % $0.size == 0 && count != 0 } ?? Self.units[0]
        return "\(count / exact.size)\(exact.symbol)"
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

    static let expectation = "a duration with its unit (ms, s, m, h), such as \"15s\""

    var smallestUnits: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }

    init(smallestUnits: Int64) {
        self = .milliseconds(smallestUnits)
    }
}
