import Fuzz
import HTTP1
import HTTPModel

/// Field names and values: accepted ones cannot break out of their line and are read back unchanged.
@main enum FieldValues {
    static func main() {
        Fuzzer.run(checkInput)
    }

    fileprivate static func check(_ input: FuzzInput) {
        var input = input
        let nameBytes = input.bytes(Int(input.byte() & 15))
        let valueBytes = Array(input.rest)
        checkBytes(valueBytes)
        checkLine(nameBytes, valueBytes)
        checkTypes(String(decoding: nameBytes, as: UTF8.self), String(decoding: valueBytes, as: UTF8.self))
    }

    private static func isSafe(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.allSatisfy { $0 != 0 && $0 != 10 && $0 != 13 }
    }

    private static func checkBytes(_ value: [UInt8]) {
        let isPlain = value.allSatisfy { $0 == 9 || $0 >= 32 && $0 != 127 }
        let isTrimmed = [value.first, value.last].compactMap { $0 }.allSatisfy { $0 != 9 && $0 != 32 }
        Fuzzer.expect(HTTPFieldValue.isValid(value) == (isPlain && isTrimmed), "the value \(value)")
    }

    /// Checks that a request with one field is accepted exactly if the name is a token and the value has no control
    /// character.
    private static func checkLine(_ name: [UInt8], _ value: [UInt8]) {
        let line = Array("GET / HTTP/1.0\r\n".utf8) + name + [UInt8(ascii: ":")] + value + Array("\r\n\r\n".utf8)
        guard let fields = try? requests(line).first?.fields else { return }
        fields.forEach { name, value in
            Fuzzer.expect(isSafe(value) && HTTPFieldValue.isValid(value), "the value \(Array(value)) was accepted")
            Fuzzer.expect(
                HTTPFieldName(String(decoding: name, as: UTF8.self)) != nil, "the name \(Array(name)) was accepted")
        }
    }

    private static func checkTypes(_ name: String, _ value: String) {
        guard let fieldName = HTTPFieldName(name), let fieldValue = HTTPFieldValue(value) else { return }
        Fuzzer.expect(fieldName.lowercased.utf8.allSatisfy(HTTPToken.isTokenByte), "the name \(name) was accepted")
        Fuzzer.expect(isSafe(fieldValue.string.utf8), "the value \(value.debugDescription) was accepted")
        var fields = HTTPFields()
        fields.append(fieldName, fieldValue)
        fields[fieldName] = fieldValue
        Fuzzer.expect(
            fields.count == 1 && fields.value(fieldName) == value, "\(fields) does not hold \(name): \(value)")
        checkResponse(fields, fieldName, value)
        checkRequest(fieldName, value)
    }

    /// Checks that the head of a response has exactly one line for the field.
    private static func checkResponse(_ fields: HTTPFields, _ name: HTTPFieldName, _ value: String) {
        var bytes: [UInt8] = []
        let response = HTTPResponse(status: .ok, fields: fields, body: .empty)
        _ = HTTP1ResponseEncoder.encode(response, for: HTTP1Exchange(keepsAlive: true), dateLine: [], into: &bytes)
        let lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
        let ownNames: Set<String> = ["content-length", "transfer-encoding", "connection", "date"]
        let expected = ownNames.contains(name.lowercased) ? 4 : 5
        Fuzzer.expect(lines.count == expected, "expected \(expected) lines, got \(lines.count)")
        guard !ownNames.contains(name.lowercased) else { return }
        let line = Array("\(name): \(value)\r".utf8)
        Fuzzer.expect(lines.contains { Array($0) == line }, "no line for \(name): \(value)")
    }

    private static func checkRequest(_ name: HTTPFieldName, _ value: String) {
        // These fields have a meaning for the parser, which may reject them for that.
        let read: Set<String> = ["host", "expect", "content-length", "transfer-encoding"]
        guard !read.contains(name.lowercased) else { return }
        let line = Array("GET / HTTP/1.1\r\nhost: h\r\n\(name): \(value)\r\n\r\n".utf8)
        do throws(HTTP1Error) {
            let taken = try requests(line)
            Fuzzer.expect(
                taken.count == 1 && taken[0].fields.value(name) == value, "\(name): \(value) was parsed as \(taken)")
        } catch {
            Fuzzer.found("\(name): \(value.debugDescription) was refused: \(error)")
        }
    }

    private static func requests(_ bytes: [UInt8]) throws(HTTP1Error) -> [HTTPRequest] {
        var parser = HTTP1RequestParser(limits: HTTP1Limits(headBytes: 1 << 20))
        var requests: [HTTPRequest] = []
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { copy.deallocate() }
        copy.copyBytes(from: bytes)
        var rest = UnsafeRawBufferPointer(copy)
        while let message = try parser.parse(&rest, peer: .unknown) { requests.append(message.request) }
        return requests
    }
}

/// The entry point that libFuzzer calls.
@_cdecl("LLVMFuzzerTestOneInput")
func checkInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FieldValues.check(FuzzInput(start, count))
    return 0
}
