/// A binary heap of elements by time, the earliest first.
struct TimeHeap<Element: Sendable>: Sendable {
    private var nodes: [(time: UInt64, element: Element)] = []

    var first: (time: UInt64, element: Element)? { nodes.first }

    mutating func insert(_ element: Element, at time: UInt64) {
        nodes.append((time, element))
        var index = nodes.count - 1
        while index > 0 {
            let parent = (index - 1) / 2
            guard nodes[index].time < nodes[parent].time else { return }
            nodes.swapAt(index, parent)
            index = parent
        }
    }

    mutating func removeFirst() {
        guard !nodes.isEmpty else { return }
        nodes.swapAt(0, nodes.count - 1)
        nodes.removeLast()
        sink()
    }

    /// Moves the first element to a later time.
    mutating func delayFirst(until time: UInt64) {
        guard !nodes.isEmpty else { return }
        nodes[0].time = time
        sink()
    }

    private mutating func sink() {
        var index = 0
        while true {
            var least = index
            for child in (2 * index + 1)...(2 * index + 2)
            where child < nodes.count && nodes[child].time < nodes[least].time { least = child }
            guard least != index else { return }
            nodes.swapAt(index, least)
            index = least
        }
    }
}
