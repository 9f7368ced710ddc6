import FoundationEssentials

/// A type that Foundation's JSON decoder reads in its own way, not as the type would read itself.
protocol ReadByFoundation {}

extension Date: ReadByFoundation {}
extension Data: ReadByFoundation {}
extension URL: ReadByFoundation {}
extension Decimal: ReadByFoundation {}
