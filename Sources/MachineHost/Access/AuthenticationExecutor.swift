import Dispatch

/// Runs the programs' own authentication.
///
/// Swift's thread pool has a thread per processor. Code of the program that blocks these threads would otherwise keep
/// every client out; Dispatch adds threads while others are blocked.
final class AuthenticationExecutor: TaskExecutor {
    static let shared = AuthenticationExecutor()

    private let queue = DispatchQueue(label: "granary.authentication", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
