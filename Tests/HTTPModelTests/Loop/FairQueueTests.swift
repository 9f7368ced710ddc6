import HTTPModel
import Testing

@Suite struct FairQueueTests {
    private let peers = (0..<3).map { HTTPPeer(address: "192.0.2.\($0)", port: 1) }

    private func source(_ index: Int) -> WorkSource { WorkSource(peers[index]) }

    /// Removes all elements.
    private func drain(_ queue: inout FairQueue<String>) -> [String] {
        var elements: [String] = []
        while let element = queue.removeFirst() { elements.append(element) }
        return elements
    }

    @Test func `sources take turns, and the elements of one stay in order`() {
        var queue = FairQueue<String>()
        for element in ["a1", "a2", "a3", "a4"] { queue.append(element, of: source(0)) }
        for element in ["b1", "b2"] { queue.append(element, of: source(1)) }
        queue.append("c1", of: source(2))
        #expect(queue.count == 7)
        #expect(drain(&queue) == ["a1", "b1", "c1", "a2", "b2", "a3", "a4"])
        #expect(queue.isEmpty)
        #expect(queue.removeFirst() == nil)
    }

    @Test func `a source that joins waits for one element of each other source at most`() {
        var queue = FairQueue<String>()
        for element in ["a1", "a2", "a3"] { queue.append(element, of: source(0)) }
        for element in ["b1", "b2", "b3"] { queue.append(element, of: source(1)) }
        #expect(queue.removeFirst() == "a1")
        queue.append("c1", of: source(2))
        #expect(drain(&queue) == ["b1", "a2", "c1", "b2", "a3", "b3"])
    }

    @Test func `an element that precedes others of its source comes before them`() {
        var queue = FairQueue<String>()
        for element in ["a0", "a3", "a5", "b1", "a1", "a4", "a5"] {
            queue.append(element, of: source(element.hasPrefix("a") ? 0 : 1), where: <)
            if element == "a3" { #expect(queue.removeFirst() == "a0") }
        }
        #expect(drain(&queue) == ["a1", "b1", "a3", "a4", "a5", "a5"])
    }

    @Test func `a source can join again after its last element`() {
        var queue = FairQueue<String>()
        for round in 0..<3 {
            queue.append("a\(round)", of: source(0))
            queue.append("b\(round)", of: source(1))
            #expect(drain(&queue) == ["a\(round)", "b\(round)"])
        }
    }

    @Test func `removed elements are released, also while the queue grows`() {
        final class Content {}
        var queue = FairQueue<Content>()
        weak var first: Content?
        do {
            let content = Content()
            first = content
            queue.append(content, of: source(0))
        }
        for _ in 0..<200 { queue.append(Content(), of: source(0)) }
        _ = queue.removeFirst()
        #expect(first == nil)
        var left = 0
        while queue.removeFirst() != nil { left += 1 }
        #expect(left == 200)
    }

    @Test func `clients of a proxy take turns, and share one if they cannot be told apart`() {
        let proxy = HTTPPeer(address: "192.0.2.9", port: 1)
        func source(_ client: String) -> WorkSource {
            WorkSource(HTTPPeer(client: NumericAddress(client), forwardedBy: proxy))
        }
        #expect(source("198.51.100.1") == source("198.51.100.1"))
        #expect(source("198.51.100.1") != source("198.51.100.2"))
        #expect(source("unknown") == source("other"))
        #expect(WorkSource(peers[0]) != WorkSource(HTTPPeer(address: "192.0.2.0", port: 1)))
    }
}
