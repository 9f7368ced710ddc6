import Foundation
import Fuzz

@testable import JSONText

/// JSON texts: Foundation accepts every text that the scanner accepts, with the same strings, and each part that the
/// scanner finds is itself a valid text.
@main enum JSONTexts {
    private static let nestingLimit = 64

    static func main() {
        Fuzzer.run(checkInput)
    }

    fileprivate static func check(_ input: FuzzInput) {
        check(Array(input.rest))
    }

    private static func check(_ bytes: [UInt8]) {
        guard let range = try? JSONScanner.document(bytes, nestingLimit: nestingLimit) else { return }
        Fuzzer.expect(!range.isEmpty && range.upperBound <= bytes.count, "\(range) of \(bytes.count) bytes")
        let isBlank: (UInt8) -> Bool = { [9, 10, 13, 32].contains($0) }
        Fuzzer.expect(
            bytes[..<range.lowerBound].allSatisfy(isBlank) && bytes[range.upperBound...].allSatisfy(isBlank),
            "\(range) does not cover the whole text")
        let text = String(decoding: bytes, as: UTF8.self)
        Fuzzer.expect(Array(text.utf8) == bytes, "text that is not valid UTF-8 was accepted")
        compare(JSONValue(bytes: bytes, range: range), depth: 0)
    }

    private static func compare(_ value: JSONValue, depth: Int) {
        Fuzzer.expect(depth <= nestingLimit, "nesting above the limit was accepted")
        let slice = Array(value.slice)
        guard let own = try? JSONScanner.document(slice, nestingLimit: nestingLimit), own == 0..<slice.count else {
            Fuzzer.found("a part is not a valid text: \(String(decoding: slice, as: UTF8.self))")
        }
        switch value.kind {
        case .array: for element in value.elements ?? [] { compare(element, depth: depth + 1) }
        case .object: compareMembers(of: value, depth: depth)
        case .string: compareString(value)
        case .null, .boolean, .number: compareScalar(value)
        }
    }

    private static func compareMembers(of value: JSONValue, depth: Int) {
        guard let members = JSONObjectText.members(of: String(decoding: value.slice, as: UTF8.self)) else {
            Fuzzer.found("an object has no members")
        }
        var scanner = JSONScanner(value.bytes, at: value.range.lowerBound)
        var count = 0
        do throws(JSONSyntaxError) {
            try scanner.members { key, member in
                compare(JSONValue(bytes: value.bytes, range: key), depth: depth + 1)
                compare(JSONValue(bytes: value.bytes, range: member), depth: depth + 1)
                count += 1
            }
        } catch {
            Fuzzer.found("an accepted object was rejected: \(error)")
        }
        Fuzzer.expect(count == members.count, "expected \(members.count) members, got \(count)")
    }

    private static func compareString(_ value: JSONValue) {
        let data = Data(value.slice)
        guard let own = value.string, let other = try? JSONDecoder().decode(String.self, from: data) else {
            Fuzzer.found("Foundation rejects the string \(Array(value.slice))")
        }
        Fuzzer.expect(Array(own.utf8) == Array(other.utf8), "\(own.debugDescription) is not \(other.debugDescription)")
    }

    /// Numbers are checked by their grammar only, because their range depends on the type that they are decoded as.
    private static func compareScalar(_ value: JSONValue) {
        let text = String(decoding: value.slice, as: UTF8.self)
        if ["null", "true", "false"].contains(text) { return }
        let mantissa = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        let parts = mantissa[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let whole = parts[0].first == "-" ? parts[0].dropFirst() : parts[0]
        let exponent = mantissa.count == 2 ? mantissa[1] : "0"
        let power = ["+", "-"].contains(exponent.first) ? exponent.dropFirst() : exponent
        let groups = [whole, parts.count == 2 ? parts[1] : "0", power]
        let areDigits = groups.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }
        Fuzzer.expect(areDigits && (whole == "0" || whole.first != "0"), "the number \(text)")
    }
}

/// The entry point that libFuzzer calls.
@_cdecl("LLVMFuzzerTestOneInput")
func checkInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    JSONTexts.check(FuzzInput(start, count))
    return 0
}
