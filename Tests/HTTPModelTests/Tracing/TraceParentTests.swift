import Testing

@testable import HTTPModel

@Suite struct TraceParentTests {
    private static let valid = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    private func parent(_ text: String) -> TraceParent? {
        var text = text
        return text.withUTF8 { TraceParent(UnsafeRawBufferPointer($0)) }
    }

    @Test func `a value names the trace, the span and whether it is sampled`() throws {
        let read = try #require(parent(TraceParentTests.valid))
        #expect(read.traceID == 0x0af7_6519_16cd_43dd_8448_eb21_1c80_319c)
        #expect(read.spanID == 0xb7ad_6b71_6920_3331)
        #expect(read.isSampled)
    }

    @Test(arguments: [("00", false), ("01", true), ("02", false), ("03", true), ("ff", true), ("fe", false)])
    func `only the lowest flag means sampled`(_ flags: String, _ isSampled: Bool) {
        #expect(parent(TraceParentTests.valid.dropLast(2) + flags)?.isSampled == isSampled)
    }

    @Test(arguments: ["cc\(valid.dropFirst(2))", "01\(valid.dropFirst(2))-more", "fe\(valid.dropFirst(2))-"])
    func `a later version may have further fields`(_ text: String) {
        #expect(parent(text)?.spanID == 0xb7ad_6b71_6920_3331)
    }

    @Test(arguments: [
        "", "00", String(valid.dropLast()), valid + "0", valid + "-", valid + "-more",
        "ff\(valid.dropFirst(2))", "0x\(valid.dropFirst(2))", "cc\(valid.dropFirst(2))more",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-B7AD6B7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0A",
        "00-0af7651916cd43dd8448eb211c80319g-b7ad6b7169203331-01",
        "00_0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c_b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331_01",
        "00-0af7651916cd43dd8448eb211c80319-cb7ad6b7169203331-01", " \(valid.dropLast())",
    ])
    func `an invalid value is ignored`(_ text: String) {
        #expect(parent(text) == nil)
    }

    @Test func `a request has one field, or none`() throws {
        let value = try #require(HTTPFieldValue(TraceParentTests.valid))
        #expect(TraceParent(of: HTTPFields()) == nil)
        #expect(TraceParent(of: [.traceparent: value])?.isSampled == true)
        var twice = HTTPFields()
        twice.append(.traceparent, value)
        twice.append(.traceparent, value)
        #expect(TraceParent(of: twice) == nil)
    }

    @Test func `a context is written as it is read`() throws {
        let context = TraceContext(traceID: 1, spanID: 0xa)
        #expect(context.traceparent == "00-00000000000000000000000000000001-000000000000000a-01")
        let read = try #require(parent(context.traceparent))
        #expect(read.traceID == 1 && read.spanID == 0xa && read.isSampled)
        let root = TraceContext.root()
        let child = root.child()
        #expect(root.traceID != 0 && root.spanID != 0)
        #expect(child.traceID == root.traceID && child.spanID != root.spanID)
        let greatest = TraceContext(traceID: .max, spanID: .max)
        #expect(parent(greatest.traceparent)?.traceID == .max)
    }
}
