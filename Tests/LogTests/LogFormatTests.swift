import Testing

@testable import Log

struct LogFormatTests {
    private let time = LogTime(millisecondsSince1970: 1_795_264_750_042)

    private func event(_ fields: KeyValuePairs<String, LogValue>) -> LogEvent {
        LogEvent(level: .warning, message: "session failed", fields: fields.map { (name: $0.key, value: $0.value) })
    }

    @Test func `JSON lines have the time, level and message before the fields`() {
        #expect(
            LogFormat.json.line(of: event(["incident": "k3", "after": 7]), at: time)
                == #"{"time":"2026-11-21T12:39:10.042Z","level":"warning","message":"session failed","#
                + #""incident":"k3","after":7}"# + "\n")
    }

    @Test func `text lines have the time, level and message in columns before the fields`() {
        #expect(
            LogFormat.text.line(of: event(["incident": "k3", "reason": "it broke", "after": 7, "none": ""]), at: time)
                == "2026-11-21T12:39:10.042Z warning session failed incident=k3 reason=\"it broke\" after=7 none=\"\"\n"
        )
    }

    @Test(arguments: LogFormat.allCases)
    func `no value can start a new line or close its quotes`(format: LogFormat) {
        let line = format.line(of: event(["reason": .text("a\nb\r\u{1B}[2J\" \\ \u{85}\u{2028}")]), at: time)
        #expect(line.hasSuffix("\n"))
        let controls = line.dropLast().unicodeScalars.filter { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
        #expect(controls.isEmpty)
        #expect(line.contains(#"a\nb\u000d\u001b[2J\" \\ \u0085\u2028"#))
    }

    @Test(arguments: LogFormat.allCases)
    func `no part of a line can change how the rest of it appears`(format: LogFormat) {
        let text = "a\u{202E}b\u{2066}\u{200B}\u{FEFF}\u{E0041}c"
        let shown = #"a\u202eb\u2066\u200b\ufeff\udb40\udc41c"#
        var event = LogEvent(level: .info, message: text, fields: [(name: text, value: .text(text))])
        event.isLimited = true
        let line = format.line(of: event, at: time)
        #expect(line.ranges(of: shown).count == 3)
        #expect(line.utf8.allSatisfy { $0 < 0x80 })
    }
}
