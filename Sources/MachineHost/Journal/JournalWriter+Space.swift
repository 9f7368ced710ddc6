import Locking
import Synchronization

// The disk.
extension JournalWriter {
    /// Looks up the free space, unless that happened a moment ago.
    func lookAtSpaceIfDue() {
        if thread.value.space.isDue(now: wallMilliseconds) { lookAtSpace() }
    }

    /// Looks up the free space, and refuses or accepts inputs from then on.
    func lookAtSpace() {
        let thread = thread.value
        guard thread.space.begin(now: wallMilliseconds), let journal = thread.journal,
            let free = try? journal.freeBytes()
        else { return }
        let (isLow, repeats) = thread.space.found(free)
        isSpaceLow.store(isLow, ordering: .relaxed)
        guard repeats else { return }
        executor.execute(after: .milliseconds(FreeSpace.interval)) { [self] in
            self.thread.value.space.repetitionBegins()
            lookAtSpace()
        }
    }
}
