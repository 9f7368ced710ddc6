import Synchronization
import Testing

@testable import HTTPServer

@Suite struct MailboxTests {
    @Test func `tasks are taken in the order in which they were pushed`() {
        let mailbox = Mailbox()
        let sum = Atomic(0)
        #expect(mailbox.isEmpty)
        for digit in 1...5 {
            mailbox.push { sum.store(sum.load(ordering: .relaxed) * 10 + digit, ordering: .relaxed) }
        }
        #expect(!mailbox.isEmpty)
        var tasks: [Mailbox.Entry] = []
        mailbox.popAll(into: &tasks)
        #expect(mailbox.isEmpty)
        for entry in tasks { entry.task() }
        #expect(sum.load(ordering: .relaxed) == 12345)
    }

    @Test func `tasks that are never taken are released with the mailbox`() {
        final class Content: Sendable {}
        weak var seen: Content?
        do {
            let mailbox = Mailbox()
            let content = Content()
            seen = content
            mailbox.push { _ = content }
        }
        #expect(seen == nil)
    }

    @Test func `a closed mailbox releases its tasks and all later ones`() {
        final class Content: Sendable {}
        let mailbox = Mailbox()
        weak var held: Content?
        weak var late: Content?
        do {
            let (first, second) = (Content(), Content())
            (held, late) = (first, second)
            mailbox.push { _ = first }
            mailbox.close()
            mailbox.push { _ = second }
        }
        #expect(held == nil)
        #expect(late == nil)
        mailbox.close()
    }
}
