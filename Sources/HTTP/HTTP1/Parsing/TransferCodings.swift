/// The transfer codings of a request, from all of its `Transfer-Encoding` fields in order (RFC 9112 §6.1).
struct TransferCodings {
    /// Whether the request has such a field.
    private(set) var isPresent = false
    private var hasChunked = false
    private var endsInChunked = false
    private var repeatsChunked = false
    private var hasOther = false

    /// Adds the value of the next field. A value that is not a list of codings is an error immediately. Everything else
    /// is decided by ``check()``, because a later field may change which coding is the final one.
    mutating func take(_ value: UnsafeRawBufferPointer) throws(HTTP1Error) {
        isPresent = true
        if value.equalsIgnoringCase("chunked") { return takeChunked() }
        var scanner = ParameterScanner(value)
        repeat {
            scanner.skipBlanks()
            guard let name = scanner.skipToken() else { throw .transferCoding }
            let hasParameters = try TransferCodings.skipParameters(&scanner)
            if name.equalsIgnoringCase("chunked") {
                // RFC 9112 §7.1: the coding has no parameters.
                guard !hasParameters else { throw .transferCoding }
                takeChunked()
            } else {
                hasOther = true
                endsInChunked = false
            }
        } while scanner.skip(UInt8(ascii: ","))
        guard scanner.isAtEnd else { throw .transferCoding }
    }

    /// Throws unless `chunked` is the only coding. If it is not the final coding, the end of the body cannot be
    /// determined, regardless of the other codings (RFC 9112 §6.3). So an unknown coding is reported only if `chunked`
    /// is final.
    func check() throws(HTTP1Error) {
        guard endsInChunked, !repeatsChunked else { throw .transferCoding }
        guard !hasOther else { throw .transferCodingUnknown }
    }

    private mutating func takeChunked() {
        // A repetition counts even with another coding in between: RFC 9112 §6.1 allows `chunked` once.
        repeatsChunked = repeatsChunked || hasChunked
        hasChunked = true
        endsInChunked = true
    }

    /// Skips `*( OWS ";" OWS transfer-parameter )` and the blanks after it. Returns whether there are any parameters.
    private static func skipParameters(_ scanner: inout ParameterScanner) throws(HTTP1Error) -> Bool {
        var hasParameters = false
        scanner.skipBlanks()
        while scanner.skip(UInt8(ascii: ";")) {
            hasParameters = true
            scanner.skipBlanks()
            // The grammar requires a value. A parameter without one is accepted here, because every coding with
            // parameters is rejected.
            guard scanner.skipToken() != nil, scanner.skipValueIfPresent() else { throw .transferCoding }
            scanner.skipBlanks()
        }
        return hasParameters
    }
}
