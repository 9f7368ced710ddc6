import Locking
import Testing

struct OneTimeResumeTests {
    @Test func `a resume continues the task`() async {
        await withCheckedContinuation { continuation in
            OneTimeResume(continuation).resume()
        }
    }

    @Test func `a second resume has no effect`() async {
        await withCheckedContinuation { continuation in
            let resume = OneTimeResume(continuation)
            resume.resume()
            resume.resume()
        }
    }

    @Test func `a task whose action is dropped continues`() async {
        await withCheckedContinuation { continuation in
            var dropped: (() -> Void)? = OneTimeResume(continuation).resume
            _ = dropped
            dropped = nil
        }
    }
}
