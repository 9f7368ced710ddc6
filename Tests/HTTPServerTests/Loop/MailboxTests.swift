import Synchronization
import Testing

@testable import HTTPServer

@Suite struct MailboxTests {
    @Test func `letters come out in the order in which they were put in`() {
        let mailbox = Mailbox()
        let sum = Atomic(0)
        #expect(mailbox.isEmpty)
        for digit in 1...5 {
            mailbox.push { sum.store(sum.load(ordering: .relaxed) * 10 + digit, ordering: .relaxed) }
        }
        #expect(!mailbox.isEmpty)
        var tasks: [Mailbox.LoopTask] = []
        mailbox.popAll(into: &tasks)
        #expect(mailbox.isEmpty)
        for work in tasks { work() }
        #expect(sum.load(ordering: .relaxed) == 12345)
    }

    @Test func `letters that nobody takes are freed with the box`() {
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

    @Test func `a closed box lets go of what it holds and of what comes`() {
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
