import Dispatch
import Foundation
import Glibc
import Locking

/// A server on the loopback interface that sends any bytes, as a hostile or broken one may.
final class RawServer: Sendable {
    /// A connection that was accepted.
    struct Connection: Sendable {
        let descriptor: Int32

        /// Reads up to the end of a head, and returns what it has read.
        @discardableResult
        func readHead() -> String {
            var head: [UInt8] = []
            var byte: UInt8 = 0
            while !head.suffix(4).elementsEqual("\r\n\r\n".utf8), recv(descriptor, &byte, 1, 0) == 1 {
                head.append(byte)
            }
            return String(decoding: head, as: UTF8.self)
        }

        /// Reads a number of bytes.
        func read(_ count: Int) -> String {
            var bytes = [UInt8](repeating: 0, count: count)
            let received = recv(descriptor, &bytes, count, Int32(MSG_WAITALL))
            return String(decoding: bytes.prefix(max(received, 0)), as: UTF8.self)
        }

        /// Sends bytes. Returns false if the client has closed the connection.
        @discardableResult
        func send(_ text: String) -> Bool {
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }

        /// Sends the same bytes until the client closes the connection.
        func sendForever(_ text: String) { while send(text) {} }

        /// Waits until the client closes the connection.
        func waitForClose() {
            var byte: UInt8 = 0
            while recv(descriptor, &byte, 1, 0) > 0 {}
        }

        /// Makes the end of the script reset the connection.
        func reset() {
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        }
    }

    let port: UInt16
    private let listener: Int32

    /// Starts a server. Each connection is closed when its script has ended.
    init(_ script: @escaping @Sendable (Connection) -> Void) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) + listen(listener, 64) + getsockname(listener, $0, &length)
            }
        }
        guard listener >= 0, status == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        // Queues of their own: the threads block, and the global queues have few.
        DispatchQueue(label: "granary.tests.listener").async {
            while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
                DispatchQueue(label: "granary.tests.connection").async {
                    script(Connection(descriptor: descriptor))
                    close(descriptor)
                }
            }
            close(listener)
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    var url: URL { URL(string: "http://127.0.0.1:\(port)/path?a=b") ?? URL(filePath: "/") }
}
