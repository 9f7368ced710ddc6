import HTTP2
import Testing

@Suite struct HTTP2LimitsTests {
    @Test(arguments: LimitSample.all)
    func `a client that reaches a limit continues, one that exceeds it does not`(_ sample: LimitSample) {
        var limits = HTTP2Limits()
        sample.change(&limits)
        sample.check(RawClient(limits))
    }

    @Test func `every limit has a sample`() {
        let names = Mirror(reflecting: HTTP2Limits()).children.compactMap(\.label)
        #expect(names.count > 20)
        #expect(Set(names) == Set(LimitSample.all.map(\.name)))
    }
}
