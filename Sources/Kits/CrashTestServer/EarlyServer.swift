import Foundation
import HTTPServer
import MachineHost

/// A server whose journal acknowledges too early.
enum EarlyServer {
    static func run(port: UInt16, directory: String) throws -> Never {
        let writer = JournalWriter(executor: DispatchJournalExecutor()) { error in
            FileHandle.standardError.write(Data("the journal failed: \(error)\n".utf8))
            exit(74)
        }
        var sessions = HostConfiguration()
        sessions.historyChanges = 1000
        sessions.historyBytes = 1 << 20
        let host = try SessionHost(LedgerMachines.definitions(), configuration: sessions, journal: writer)
        let server = HTTPServer(configuration: HTTPServerConfiguration(port: port)) { host.makeShard(on: $0) }
        try server.start()
        writer.open {
            try EarlyJournal(directory: directory)
        } opened: { error in
            guard let error else { return }
            FileHandle.standardError.write(Data("the journal cannot be opened: \(error)\n".utf8))
            exit(74)
        }
        while true { pause() }
    }

    static func printUsage() -> Never {
        FileHandle.standardError.write(Data("usage: crash-test-server early PORT DIRECTORY | serve …\n".utf8))
        exit(64)
    }
}
