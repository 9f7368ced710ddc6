import Foundation

/// The compiler's plugin protocol on standard input and output: each message is its length in 8 bytes, the lowest first, and
/// JSON.
struct MessageStream {
    private let input = FileHandle.standardInput
    private let output = FileHandle.standardOutput

    /// Returns the next message; nil at the end of the input.
    func receive() throws -> HostMessage? {
        guard let header = try read(8) else { return nil }
        let length = header.reversed().reduce(0) { $0 << 8 | Int($1) }
        // The compiler writes an empty message before it closes the stream after an error.
        guard length > 0, let body = try read(length) else { return nil }
        return try JSONDecoder().decode(HostMessage.self, from: body)
    }

    func send(_ reply: PluginReply) throws {
        let body = try JSONEncoder().encode(reply)
        var length = UInt64(body.count).littleEndian
        var message = withUnsafeBytes(of: &length) { Data($0) }
        message.append(body)
        try output.write(contentsOf: message)
    }

    private func read(_ count: Int) throws -> Data? {
        var data = Data()
        while data.count < count {
            guard let more = try input.read(upToCount: count - data.count), !more.isEmpty else { return nil }
            data.append(more)
        }
        return data
    }
}
