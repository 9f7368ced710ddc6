import HTTPModel
import Testing

@Suite struct HTTPFieldsTests {
    private let fields: HTTPFields = [
        .contentType: "application/json", .cookie: "a=1", .ifMatch: "\"7\"", .cookie: "b=2",
    ]

    @Test func `fields keep their order and duplicates`() {
        var seen: [String] = []
        fields.forEach { name, value in
            seen.append(String(decoding: name, as: UTF8.self) + "=" + String(decoding: value, as: UTF8.self))
        }
        #expect(seen == ["content-type=application/json", "cookie=a=1", "if-match=\"7\"", "cookie=b=2"])
        #expect(fields.count == 4)
        #expect(!fields.isEmpty)
    }

    @Test func `lookup finds the first field of a name or all of them`() {
        #expect(fields.value(.cookie) == "a=1")
        #expect(fields.values(.cookie) == ["a=1", "b=2"])
        #expect(fields.count(of: .cookie) == 2)
        #expect(fields.value(.eTag) == nil)
        #expect(fields.values(.eTag).isEmpty)
        #expect(fields.contains(.ifMatch))
        #expect(!fields.contains("if-matc"))
        #expect(!fields.contains("if-match-x"))
    }

    @Test func `names from a parser are lowercased and found`() {
        var parsed = HTTPFields()
        Array("Content-LENGTH".utf8).withUnsafeBytes { name in
            Array("12".utf8).withUnsafeBytes { value in parsed.append(checkedName: name, checkedValue: value) }
        }
        #expect(parsed.value(.contentLength) == "12")
        #expect(parsed == [.contentLength: "12"])
    }

    @Test func `setting a field replaces all fields of its name`() {
        var changed = fields
        changed[.cookie] = "c=3"
        #expect(changed.values(.cookie) == ["c=3"])
        #expect(changed.count == 3)
        changed[.cookie] = nil
        #expect(!changed.contains(.cookie))
        #expect(changed.value(.contentType) == "application/json")
    }

    @Test func `fields are found by names of every length`() throws {
        let names = try (1...130).map { try #require(HTTPFieldName(String(repeating: "n", count: $0))) }
        for name in names {
            let fields: HTTPFields = [.host: "a", name: "b"]
            for other in names where other != .host { #expect(fields.contains(other) == (other == name)) }
            #expect(fields.count(of: name) == 1 && fields[name] == "b")
        }
        var all = HTTPFields()
        for name in names { all.append(name, "b") }
        for name in names { #expect(all.value(name) == "b") }
    }

    @Test func `the fields of another collection are appended, also those that a removed one has left places in`() {
        var other = fields
        other[.contentType] = nil
        other.append("x-a", "")
        var all: HTTPFields = [.allow: "GET"]
        all.append(other)
        #expect(all == [.allow: "GET", .cookie: "a=1", .ifMatch: "\"7\"", .cookie: "b=2", "x-a": ""])
        #expect(all.values(.cookie) == ["a=1", "b=2"] && all.contains(.ifMatch) && !all.contains(.contentType))
        #expect(all.value("x-a") == "")
        all.append(HTTPFields())
        #expect(all.count == 5)
        #expect(all.withValue(at: 2) { Array($0) } == Array("\"7\"".utf8))
    }

    @Test func `fields are equal if they have the same content, whatever their history`() {
        var changed: HTTPFields = [.eTag: "\"1\"", .allow: "GET"]
        changed[.eTag] = nil
        #expect(changed == [.allow: "GET"])
        #expect(changed != [.allow: "PUT"])
        #expect(changed != [.allow: "GET", .vary: "accept"])
    }

    @Test func `a value is compared without regard to case and without creating a string`() {
        let fields: HTTPFields = [.connection: "Keep-Alive"]
        #expect(fields.value(.connection, equalsIgnoringCase: "keep-alive"))
        #expect(!fields.value(.connection, equalsIgnoringCase: "keep-aliv"))
        #expect(!fields.value(.te, equalsIgnoringCase: "keep-alive"))
    }

    @Test func `invalid UTF-8 is replaced in the text and kept in the bytes`() {
        var fields = HTTPFields()
        Array("x".utf8).withUnsafeBytes { name in
            [UInt8]([0x61, 0xFF]).withUnsafeBytes { fields.append(checkedName: name, checkedValue: $0) }
        }
        #expect(fields.values("x").last == "a\u{FFFD}")
        #expect(fields.withValue("x") { Array($0) } == [0x61, 0xFF])
    }
}
