import HTTPModel

final class ScheduledWork: TimerEntry, EventLoopTimer {
    private var work: (() -> Void)?
    private unowned let loop: EpollEventLoop

    init(on loop: EpollEventLoop, _ work: @escaping () -> Void) {
        self.loop = loop
        self.work = work
    }

    override func timePassed(now: UInt64) {
        let due = work
        work = nil
        due?()
    }

    func cancel() {
        work = nil
        loop.forget(self)
    }
}
