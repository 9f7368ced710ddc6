import ProcessLifecycle
import Testing

@testable import Development

struct DevelopmentRunTests {
    @Test func `a command that is recommended can be copied, also with blanks in its paths`() {
        let arguments = ["sessions", "delete", "--machine", "counter", "--name", "Ada's", "$HOME"]
        #expect(
            DevelopmentRun.command("/my apps/counter", arguments, sessionsIn: "/my apps/.build/sessions")
                == "GRANARY_SESSIONS_STATE_DIRECTORY='/my apps/.build/sessions' '/my apps/counter' "
                + #"sessions delete --machine counter --name 'Ada'\''s' '$HOME'"#)
        #expect(
            DevelopmentRun.command("/apps/a-1.2_b+c:d/counter", ["serve"], sessionsIn: "/s")
                == "GRANARY_SESSIONS_STATE_DIRECTORY=/s /apps/a-1.2_b+c:d/counter serve")
    }

    @Test(arguments: [
        ("", "''"), ("~/a", "'~/a'"), ("a\nb", "'a\nb'"), ("*", "'*'"), ("ü", "'ü'"), ("key=a@b", "key=a@b"),
    ])
    func `what a shell does not take literally is in quotes`(text: String, word: String) {
        #expect(text.shellWord == word)
    }
}
