import Testing

@testable import Log

struct LogTests {
    @Test func `an event below the level is never created`() async {
        await confirmation(expectedCount: 1) { written in
            let log = Log(level: .warning) { _ in written() }
            var made = 0
            func message() -> String {
                made += 1
                return "made"
            }
            log(.info, message())
            log(.warning, message())
            #expect(made == 1)
        }
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (951_782_400_007, "2000-02-29T00:00:00.007Z"),
        (4_102_444_799_999, "2099-12-31T23:59:59.999Z"),
    ])
    func `a time is written in the format of RFC 3339`(milliseconds: Int64, text: String) {
        #expect(LogTime(millisecondsSince1970: milliseconds).description == text)
    }
}
