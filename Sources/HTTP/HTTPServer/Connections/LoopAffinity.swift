/// The loop that the recent requests of a connection belong to.
struct LoopAffinity {
    /// The number of consecutive requests for another loop after which a connection moves there permanently. The
    /// connection of a gateway, whose requests belong to all loops, stays on its loop.
    static let requestsBeforeMoving: UInt32 = 8

    private var loop: Int32 = -1
    private var count: UInt32 = 0

    /// Records a request for another loop. Returns whether the connection must move there.
    mutating func requestArrived(forLoop index: Int) -> Bool {
        let index = Int32(truncatingIfNeeded: index)
        count = loop == index ? count + 1 : 1
        loop = index
        return count >= LoopAffinity.requestsBeforeMoving
    }

    mutating func reset() { count = 0 }
}
