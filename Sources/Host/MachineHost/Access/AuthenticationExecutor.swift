import Dispatch

/// Runs the programs' own authentication.
///
/// Swift's thread pool has a thread per processor. Code of the program that blocks these threads would otherwise keep
/// every client out.
final class AuthenticationExecutor: TaskExecutor {
    static let shared = AuthenticationExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // A serial queue gets a thread immediately. The jobs of a concurrent queue share the thread pool, to which Dispatch
        // adds a thread per second, and none at all while another thread of the pool computes.
        DispatchQueue(label: "granary.authentication").async { [self] in
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
