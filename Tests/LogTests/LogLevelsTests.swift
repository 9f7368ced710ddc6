import Locking
import Testing

@testable import Log

struct LogLevelsTests {
    private let messages = Lock<[String]>([])

    private var log: Log { Log(level: .info) { [messages] event in messages.withLock { $0.append(event.message) } } }

    @Test func `a module logs from its own level on`() {
        let log = log
        let (one, other) = (log.module("one"), log.module("other"))
        #expect(log.levels.set(.debug, of: "one"))
        for log in [log, one, other] { log(.debug, "detail") }
        #expect(messages.withLock { $0 } == ["detail"])
        #expect(one.level == .debug && other.level == .info && log.level == .info)
        #expect(log.levels.levels == ["one": .debug, "other": .info])
    }

    @Test func `a level for all replaces those of modules, also in copies of the log`() {
        let log = log
        let (module, copy) = (log.module("one"), log)
        _ = log.levels.set(.debug, of: "one")
        log.levels.set(.error)
        #expect([module.level, copy.level, log.module("one").level] == [.error, .error, .error])
        module(.warning, "lost")
        module(.error, "kept")
        #expect(messages.withLock { $0 } == ["kept"])
    }

    @Test func `a module that nobody has asked for has no level`() {
        let log = log
        #expect(!log.levels.set(.debug, of: "one"))
        log.levels.set(.warning)
        #expect(log.module("one").level == .warning)
    }

    @Test func `the levels of one log are not those of another`() {
        let silent = Log.silent
        silent.levels.set(.debug)
        #expect(Log.silent.level == .error)
    }
}
