import JSONText
import Testing

@testable import StateCapture

private struct Fieldwise: Codable, FieldwiseState, Equatable {
    var count: Int
    var missing: String?
    var present: String?
    var time: StoredTime?
    var list: [Int]
    var inner: Inner
    var stored: StoredOptional<Int>

    struct Inner: Codable, Equatable {
        var flag: Bool
    }

    static func == (lhs: Fieldwise, rhs: Fieldwise) -> Bool {
        lhs.count == rhs.count && lhs.missing == rhs.missing && lhs.present == rhs.present && lhs.time == rhs.time
            && lhs.list == rhs.list && lhs.inner == rhs.inner && lhs.stored.value == rhs.stored.value
    }
}

@Suite struct StateEncoderTests {
    /// Returns the JSON of a value with an encoder and without one; nil for a type that needs an encoder.
    private func forms<Value: Encodable>(_ value: Value) throws -> (encoded: String, direct: String?) {
        var (encoded, direct): ([UInt8], [UInt8]) = ([], [])
        try JSONStream.append(value, to: &encoded, nonFinite: .bits)
        guard let encoder = StateEncoder<Value>() else { return (String(decoding: encoded, as: UTF8.self), nil) }
        try encoder.append(value, &direct)
        return (String(decoding: encoded, as: UTF8.self), String(decoding: direct, as: UTF8.self))
    }

    private func expectSame(_ value: some Encodable, _ location: SourceLocation = #_sourceLocation) throws {
        let (encoded, direct) = try forms(value)
        #expect(direct == encoded, sourceLocation: location)
    }

    @Test func `values have the form in which they encode themselves`() throws {
        try expectSame(7)
        try expectSame(UInt8.max)
        try expectSame(Int64.min)
        try expectSame(true)
        try expectSame(1.5)
        try expectSame(2.0)
        try expectSame(Double.nan)
        try expectSame(-Float.infinity)
        try expectSame("a \"quoted\" text\n")
        try expectSame(Int?.none)
        try expectSame(Int?.some(3))
        try expectSame(Double?.some(.infinity))
        try expectSame([Int]())
        try expectSame([1, 2, 3])
        try expectSame([["a"], [], ["b", "c"]])
        try expectSame([Int?.none, 1])
        try expectSame(StoredTime(nanoseconds: 5))
    }

    @Test func `values inside the states of operators have the form in which they encode themselves`() throws {
        try expectSame(StoredValue(1))
        try expectSame(StoredValue("a"))
        try expectSame(StoredValue([1]))
        try expectSame(StoredValue(Int?.none))
        try expectSame(StoredValue(()))
        try expectSame(StoredValue((1, "a", (2.5, [true]))))
        try expectSame(StoredOptional(1))
        try expectSame(StoredOptional<String>(nil))
        try expectSame(StoredOptional(()))
        try expectSame(StoredOptional<Int?>(.some(nil)))
        try expectSame(StoredOptional((1, ())))
    }

    @Test func `the fields of a structure have the form of an encoder that the compiler makes`() throws {
        let inner = Fieldwise.Inner(flag: true)
        let value = Fieldwise(
            count: 1, missing: nil, present: "x", time: nil, list: [1, 2], inner: inner, stored: StoredOptional(nil))
        try expectSame(value)
        let other = Fieldwise(
            count: -1, missing: "y", present: nil, time: StoredTime(nanoseconds: 1), list: [], inner: inner,
            stored: StoredOptional(4))
        try expectSame(other)
    }

    @Test func `structures, dictionaries and optional tuples need an encoder`() throws {
        #expect(try forms(Fieldwise.Inner(flag: true)).direct == nil)
        #expect(try forms(["a": 1]).direct == nil)
        #expect(try forms([Fieldwise.Inner(flag: true)]).direct == nil)
        #expect(try forms(StoredValue((1, 2) as (Int, Int)?)).direct == nil)
        #expect(try forms(StoredValue(["a": 1])).direct == nil)
    }

    @Test func `a fieldwise state is restored from its form`() throws {
        let value = Fieldwise(
            count: 1, missing: nil, present: "x", time: StoredTime(nanoseconds: 9), list: [1],
            inner: .init(flag: false), stored: StoredOptional(5))
        let codec = try #require(KnownCodecs.codec(of: Fieldwise.self))
        var json: [UInt8] = []
        try codec.encode(value, &json)
        #expect(try codec.decode(json[...]) == value)
    }
}
