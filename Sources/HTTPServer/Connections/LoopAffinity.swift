/// The loop that a connection's requests have been for lately.
struct LoopAffinity {
    /// The number of requests in a row for one other loop with which a connection moves there permanently. The connection of a
    /// gateway, whose requests are for all loops, stays where it is.
    static let requestsBeforeMoving: UInt32 = 8

    private var loop: Int32 = -1
    private var count: UInt32 = 0

    /// A request arrived for another loop. Returns whether the connection is to move there.
    mutating func requestArrived(forLoop index: Int) -> Bool {
        let index = Int32(truncatingIfNeeded: index)
        count = loop == index ? count + 1 : 1
        loop = index
        return count >= LoopAffinity.requestsBeforeMoving
    }

    mutating func reset() { count = 0 }
}
