import Dispatch
import Foundation
import Glibc

/// Reports changes of the sources of a package. Confined to its queue.
final class SourceWatch {
    private static let interest = UInt32(
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_ONLYDIR | IN_EXCL_UNLINK)
    /// The time that must pass without a change. A checkout changes many files, and editors write a file in several steps.
    private static let quiet = DispatchTimeInterval.milliseconds(80)

    private let package: URL
    private let queue: DispatchQueue
    private let changed: () -> Void
    private let descriptor: Int32
    private var source: (any DispatchSourceRead)?
    /// The watched folders by the number of their watch.
    private var folders: [Int32: URL] = [:]
    private var waiting: DispatchWorkItem?

    /// Starts to watch a package.
    ///
    /// - Parameters:
    ///   - package: The folder of the package.
    ///   - queue: The queue on which changes are reported.
    ///   - changed: Called after a change, when nothing has changed for a moment.
    init(_ package: URL, on queue: DispatchQueue, _ changed: @escaping () -> Void) throws(DevelopmentError) {
        self.package = package
        self.queue = queue
        self.changed = changed
        descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else {
            throw DevelopmentError("the sources cannot be watched: \(String(cString: strerror(errno)))")
        }
        // Only the manifest and the file of versions are of interest here.
        try watch(package)
        try watchAll(in: package.appendingPathComponent("Sources"))
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [weak self] in self?.read() }
        source.setCancelHandler { [descriptor] in close(descriptor) }
        source.activate()
        self.source = source
    }

    deinit {
        waiting?.cancel()
        // The cancellation handler closes the descriptor.
        if let source { source.cancel() } else if descriptor >= 0 { close(descriptor) }
    }

    private func watch(_ folder: URL) throws(DevelopmentError) {
        let number = inotify_add_watch(descriptor, folder.path, SourceWatch.interest)
        guard number >= 0 else {
            // Removed since it was listed.
            if errno == ENOENT || errno == ENOTDIR { return }
            let reason = String(cString: strerror(errno))
            throw DevelopmentError(
                "\(folder.path) cannot be watched: \(reason)\(errno == ENOSPC ? " (fs.inotify.max_user_watches)" : "")")
        }
        folders[number] = folder
    }

    private func watchAll(in folder: URL) throws(DevelopmentError) {
        try watch(folder)
        let files = FileManager.default
        guard let found = files.enumerator(at: folder, includingPropertiesForKeys: [.isDirectoryKey]) else { return }
        for case let url as URL in found {
            guard (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true else { continue }
            guard SourceFiles.isSource(url.lastPathComponent) else {
                found.skipDescendants()
                continue
            }
            try watch(url)
        }
    }

    private func read() {
        var isRelevant = false
        let capacity = 64 << 10
        withUnsafeTemporaryAllocation(byteCount: capacity, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
            while true {
                let count = Glibc.read(descriptor, buffer.baseAddress, capacity)
                guard count > 0 else { return }
                var place = 0
                while place + MemoryLayout<inotify_event>.size <= count {
                    let event = buffer.load(fromByteOffset: place, as: inotify_event.self)
                    let start = place + MemoryLayout<inotify_event>.size
                    place = start + Int(event.len)
                    let name = buffer[start..<min(place, count)].prefix { $0 != 0 }
                    if isChange(event, String(decoding: name, as: UTF8.self)) { isRelevant = true }
                }
            }
        }
        if isRelevant { reportSoon() }
    }

    private func isChange(_ event: inotify_event, _ name: String) -> Bool {
        // Events were lost, so anything may have changed.
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
        if event.mask & UInt32(IN_IGNORED) != 0 {
            folders[event.wd] = nil
            return false
        }
        guard SourceFiles.isSource(name), let folder = folders[event.wd] else { return false }
        if folder == package {
            guard event.mask & UInt32(IN_ISDIR) == 0 else {
                // The folder of sources was created, or has replaced another one.
                guard name == "Sources", event.mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0 else { return false }
                try? watchAll(in: package.appendingPathComponent(name))
                return true
            }
            return SourceFiles.roots.contains(name) && event.mask & UInt32(IN_CREATE) == 0
        }
        if event.mask & UInt32(IN_ISDIR) != 0, event.mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0 {
            // Files may have been created in it before it is watched.
            try? watchAll(in: folder.appendingPathComponent(name))
            return true
        }
        // A new file is of interest when it has been written.
        return event.mask & UInt32(IN_CREATE) == 0
    }

    private func reportSoon() {
        waiting?.cancel()
        let work = DispatchWorkItem { [changed] in changed() }
        waiting = work
        queue.asyncAfter(deadline: .now() + SourceWatch.quiet, execute: work)
    }
}
