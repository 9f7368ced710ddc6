import COpenSSL

/// The library's input and output. They use the memory of the connection, so that there is no intermediate buffer and
/// no byte is copied twice.
enum Transport {
    /// Returns the functions, which all connections of a context share.
    static func makeMethod() -> OpaquePointer {
        guard let method = BIO_meth_new(BIO_TYPE_SOURCE_SINK, "connection memory") else {
            preconditionFailure("memory is exhausted: no functions for a TLS transport")
        }
        BIO_meth_set_create(method) { bio in
            BIO_set_init(bio, 1)
            return 1
        }
        BIO_meth_set_write(method) { bio, bytes, count in
            guard let connection = Transport.connection(bio), let bytes, count > 0 else { return -1 }
            connection.transportWrites(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            return count
        }
        BIO_meth_set_read(method) { bio, buffer, count in
            guard let connection = Transport.connection(bio), let buffer, count > 0 else { return -1 }
            granary_bio_clear_retry(bio)
            let read = connection.transportReads(UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)))
            // Without the retry flag, the library would interpret the missing bytes as the end of the input.
            if read > 0 { return Int32(read) }
            granary_bio_retry_reading(bio)
            return -1
        }
        BIO_meth_set_ctrl(method) { _, command, _, _ in
            // Written bytes are available immediately, so a flush has nothing to do, but it must succeed.
            command == BIO_CTRL_FLUSH ? 1 : 0
        }
        return method
    }

    private static func connection(_ bio: OpaquePointer?) -> TLSConnection? {
        BIO_get_data(bio).map { Unmanaged<TLSConnection>.fromOpaque($0).takeUnretainedValue() }
    }
}
