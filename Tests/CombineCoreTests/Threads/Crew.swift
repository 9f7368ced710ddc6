import Dispatch

/// Runs a closure on several threads and waits for all of them.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for index in 0..<count {
        DispatchQueue.global().async(group: group) { body(index) }
    }
    group.wait()
}
