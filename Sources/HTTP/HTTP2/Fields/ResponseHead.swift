import HTTPModel

/// The fields of a response while the library decodes them, checked against RFC 9113 §8.
struct ResponseHead {
    private(set) var error: HTTP2MessageError?
    /// Whether the fields exceed the limits. Then nothing more is stored.
    private(set) var isTooLarge = false
    private(set) var status: HTTPStatus?
    private(set) var contentLength: Int?
    private(set) var fields = HTTPFields()
    private(set) var trailers = HTTPFields()
    private var block = FieldBlock()

    /// Whether another head follows (RFC 9110 §15.2).
    var isInterim: Bool { status.map { $0.code < 200 } ?? false }

    /// Adds the next field. Returns an ending if the block exceeds its limits by so much that the connection must end.
    mutating func take(
        _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, limits: HTTP2Limits
    ) -> HTTP2Ending? {
        switch block.count(name, value, limits: limits) {
        case .fits: break
        case .exceeds: isTooLarge = true
        case .floods: return .headerList
        }
        guard error == nil else { return nil }
        do throws(HTTP2MessageError) {
            if try block.check(name, value) { try takeStatus(name, value) } else { try interpret(name, value) }
        } catch {
            self.error = error
        }
        return nil
    }

    /// Begins a second header block: trailers.
    mutating func beginTrailers() { block.beginTrailers() }

    /// Checks the conditions that only a complete header block can violate.
    mutating func finish(endsStream: Bool) {
        guard error == nil else { return }
        if status == nil { error = .pseudoFieldMissing }
        if isInterim && endsStream { error = .status }
        if block.isTrailers && !endsStream { error = .trailersWithoutEnd }
    }

    private mutating func takeStatus(
        _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws(HTTP2MessageError) {
        guard name.isEqual(to: ":status") else { throw .pseudoFieldUnknown }
        guard status == nil else { throw .pseudoFieldRepeated }
        // An upgrade does not exist in HTTP/2.
        guard value.count == 3, let code = value.decimalNumber, (100...599).contains(code), code != 101 else {
            throw .status
        }
        status = HTTPStatus(UInt16(code))
    }

    private mutating func interpret(
        _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws(HTTP2MessageError) {
        if name.isConnectionField { throw .connectionField }
        if !block.isTrailers, name.isEqual(to: "content-length") {
            guard contentLength == nil, let length = value.decimalNumber else { throw .contentLength }
            contentLength = length
        }
        if isTooLarge { return }
        if block.isTrailers {
            trailers.append(checkedTrailerName: name, checkedValue: value)
        } else {
            fields.append(checkedName: name, checkedValue: value)
        }
    }
}
