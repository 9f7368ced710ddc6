import HTTP1
import Testing

@Suite struct HTTP1DateTests {
    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"), (1_709_251_200, "Fri, 01 Mar 2024 00:00:00 GMT"),
        (1_798_761_599, "Thu, 31 Dec 2026 23:59:59 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
    ])
    func `a number of seconds is formatted as an HTTP date`(_ second: Int64, _ text: String) {
        #expect(HTTP1Date.text(at: second) == text)
    }

    @Test func `the date field changes with the second`() {
        var date = HTTP1Date()
        let first = date.fieldLine(at: 0)
        #expect(first == Array("date: Thu, 01 Jan 1970 00:00:00 GMT\r\n".utf8))
        #expect(date.fieldLine(at: 0) == first)
        #expect(date.fieldLine(at: 1) != first)
    }
}
