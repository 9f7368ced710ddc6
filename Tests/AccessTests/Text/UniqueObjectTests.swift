import JSONText
import Testing

@testable import Access

@Suite struct UniqueObjectTests {
    private func mismatch(_ text: String) -> UniqueObject.Mismatch? {
        do throws(UniqueObject.Mismatch) {
            _ = try UniqueObject(Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        (#"{"a":1,"a":1}"#, "a"), (#"{"a":{"b":1,"b":2}}"#, "b"), (#"{"a":[{"b":1,"b":2}]}"#, "b"),
        (#"{"a":1,"\u0061":2}"#, "a"), (#"{"":1,"":2}"#, ""),
    ])
    func `a repeated name is found at any depth and in any spelling`(text: String, name: String) {
        #expect(mismatch(text) == .repeated(name))
    }

    @Test(arguments: ["", "[]", "1", "null", "{", #"{"a":1}x"#, #"{"a":1,}"#, "{'a':1}", #"{"a":"\#u{1}"}"#])
    func `only JSON objects are accepted`(text: String) {
        #expect(mismatch(text) == .syntax)
    }

    @Test func `an object that is too deep is rejected`() {
        let deep = String(repeating: #"{"a":"#, count: 20) + "1" + String(repeating: "}", count: 20)
        #expect(mismatch(deep) == .syntax)
    }

    @Test func `names are compared byte by byte`() throws {
        // The Kelvin sign is canonically equivalent to the letter.
        let object = try UniqueObject(Array("{\"K\":1,\"\u{212A}\":2}".utf8))
        #expect(object["K"]?.slice.elementsEqual("1".utf8) == true)
        #expect(object["\u{212A}"]?.slice.elementsEqual("2".utf8) == true)
    }
}
