// For times that somebody else may have stored, and for delays of any length that a machine asks for.
extension Int64 {
    /// Returns the sum, or the nearest bound if it overflows.
    func addingClamped(_ other: Int64) -> Int64 {
        let (sum, isBeyond) = addingReportingOverflow(other)
        return isBeyond ? (other < 0 ? .min : .max) : sum
    }

    /// A number of milliseconds in nanoseconds, or the nearest bound if that overflows.
    var millisecondsInNanoseconds: Int64 {
        let (nanoseconds, isBeyond) = multipliedReportingOverflow(by: 1_000_000)
        return isBeyond ? (self < 0 ? .min : .max) : nanoseconds
    }
}
