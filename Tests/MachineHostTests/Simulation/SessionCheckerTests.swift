import Foundation
import JournalTesting
import Testing

/// The checker finds each broken promise, and accepts what a sound server shows.
struct SessionCheckerTests {
    private typealias Kind = SessionViolation.Kind

    private var checker = SessionChecker()

    init() {
        checker.created("s", key: "creation")
        checker.sent(["a", "b"], to: "s")
    }

    private func kinds(_ checker: SessionChecker) -> [Kind] { checker.violations.map(\.kind) }

    /// Returns a checker that has seen the acknowledgement of `a` with version 1.
    private func acknowledged() -> SessionChecker {
        var checker = checker
        checker.acknowledged(["a"], in: "s", key: "k", version: 1, change: "{a}")
        return checker
    }

    @Test func `a sound history has no violations`() {
        var checker = acknowledged()
        checker.acknowledged(["a"], in: "s", key: "k", version: 1, change: "{a}")
        checker.sawChange("{a}", of: 1, epoch: "e", in: "s")
        checker.sawChange("{b}", of: 2, epoch: "e", in: "s")
        checker.sawOutputs(["n": "1"], marks: ["a"], of: 1, epoch: "e", in: "s")
        checker.sawOutputs(["n": "2"], marks: ["a", "b"], of: 2, since: checker.floor(of: "s"), in: "s")
        checker.created("s", key: "creation")
        checker.mayEnd("s")
        checker.sawEnd(of: "s")
        #expect(checker.violations == [])
        #expect(checker.acknowledgedInputs == 2)
    }

    @Test func `an input that was not acknowledged may be lost`() {
        var checker = acknowledged()
        checker.sawOutputs([:], marks: ["a"], of: 5, in: "s")
        checker.sawOutputs([:], marks: [], of: 0, in: "s")
        #expect(checker.violations == [])
    }

    @Test func `an acknowledged input must stay`() {
        var checker = acknowledged()
        checker.sawOutputs([:], marks: ["b"], of: 1, in: "s")
        #expect(kinds(checker) == [.lostInput])
    }

    @Test func `an effect must not appear twice`() {
        var checker = acknowledged()
        checker.sawOutputs([:], marks: ["a", "a"], of: 1, in: "s")
        #expect(kinds(checker) == [.repeatedInput])
    }

    @Test func `a key must have one response`() {
        var checker = acknowledged()
        checker.acknowledged(["a"], in: "s", key: "k", version: 2, change: "{a}")
        #expect(kinds(checker) == [.repeatedInput])
    }

    @Test func `a key must create one session`() {
        checkKinds([.repeatedInput]) { $0.created("t", key: "creation") }
    }

    @Test func `what nobody sent must not appear`() {
        checkKinds([.inventedInput]) { $0.sawOutputs([:], marks: ["x"], of: 1, in: "s") }
    }

    @Test func `a refused input must not appear`() {
        checkKinds([.inventedInput]) {
            $0.refused(["b"], in: "s")
            $0.sawOutputs([:], marks: ["b"], of: 1, in: "s")
        }
    }

    @Test func `a session must last until it may end`() {
        checkKinds([.lostSession]) { $0.sawEnd(of: "s") }
        checkKinds([.lostSession]) {
            $0.mayEnd("s")
            $0.mustLast("s")
            $0.sawEnd(of: "s")
        }
    }

    @Test func `an ended session must stay ended`() {
        checkKinds([.revivedSession, .revivedSession]) {
            $0.mayEnd("s")
            $0.sawEnd(of: "s")
            $0.sawChange("{b}", of: 1, epoch: "e", in: "s")
            $0.acknowledged(["b"], in: "s", version: 1, change: nil)
            $0.sawOutputs([:], marks: ["b"], of: 1, in: "s")
        }
    }

    @Test func `a later read must not show an older version`() {
        checkKinds([.lostVersion]) {
            $0.sawChange("{b}", of: 2, epoch: "e", in: "s")
            $0.sawOutputs([:], marks: [], of: 1, since: $0.floor(of: "s"), in: "s")
        }
    }

    @Test func `a version must have one content`() {
        checkKinds([.twoContents]) {
            $0.sawChange("{a}", of: 1, epoch: "e", in: "s")
            $0.sawChange("{b}", of: 1, epoch: "e", in: "s")
        }
        checkKinds([.twoContents]) {
            $0.sawOutputs(["n": "1"], marks: [], of: 1, in: "s")
            $0.sawOutputs(["n": "2"], marks: [], of: 1, in: "s")
        }
        checkKinds([.twoContents]) {
            $0.acknowledged(["a"], in: "s", key: "k", version: 1, change: "{a}")
            $0.acknowledged(["b"], in: "s", key: "l", version: 1, change: "{b}")
        }
    }

    @Test func `a new epoch is a violation unless something may have been lost`() {
        checkKinds([.newEpoch]) {
            $0.sawChange("{a}", of: 1, epoch: "e", in: "s")
            $0.sawChange("{b}", of: 1, epoch: "f", in: "s")
        }
        checkKinds([]) {
            $0.allowsNewEpochs = true
            $0.acknowledged(["a"], in: "s", key: "k", version: 1, change: "{a}")
            $0.sawChange("{a}", of: 1, epoch: "e", in: "s")
            $0.sawOutputs([:], marks: [], of: 0, epoch: "f", in: "s")
        }
    }

    @Test func `the loss of power may take anything, but must be announced by a new epoch`() {
        checkKinds([]) {
            $0.acknowledged(["a"], in: "s", key: "k", version: 1, change: "{a}")
            $0.sawChange("{a}", of: 1, epoch: "e", in: "s")
            $0.lostPower()
            $0.sawOutputs([:], marks: [], of: 0, epoch: "f", in: "s")
            $0.acknowledged(["b"], in: "s", key: "k", version: 1, change: "{b}")
            $0.sawChange("{b}", of: 1, epoch: "f", in: "s")
            $0.created("t", key: "creation")
            $0.sawEnd(of: "s")
        }
        checkKinds([.oldEpoch]) {
            $0.sawChange("{a}", of: 1, epoch: "e", in: "s")
            $0.lostPower()
            $0.sawChange("{b}", of: 1, epoch: "e", in: "s")
        }
        checkKinds([.newEpoch]) {
            $0.sawChange("{a}", of: 1, epoch: "e", in: "s")
            $0.lostPower()
            $0.sawChange("{b}", of: 1, epoch: "f", in: "s")
            $0.sawChange("{b}", of: 2, epoch: "g", in: "s")
        }
    }

    @Test func `what is acknowledged after the loss of power must stay`() {
        checkKinds([.lostInput]) {
            $0.lostPower()
            $0.acknowledged(["a"], in: "s", key: "k", version: 1, change: "{a}")
            $0.sawOutputs([:], marks: [], of: 1, in: "s")
        }
    }

    @Test func `a name leads to one session until that has ended`() {
        checkKinds([]) {
            $0.found("s", named: "main")
            $0.found("s", named: "main")
            $0.found("t", named: "other")
            $0.mayEnd("s")
            $0.found("u", named: "main")
            $0.found("s", named: "main")
            $0.found("u", named: "main")
            $0.lostPower()
            $0.found("v", named: "main")
        }
        checkKinds([.lostName]) {
            $0.found("t", named: "main")
            $0.found("u", named: "main")
            $0.found("u", named: "main")
        }
    }

    @Test func `a stream without a version is reported`() {
        checkKinds([.unevenVersions]) { $0.sawFault("version 3 follows version 1", in: "s") }
    }

    @Test(
        arguments: [
            (#"{"created":{"session":"t","key":"creation"}}"#, [.repeatedInput]),
            (#"{"sent":{"session":"s","marks":["c"]}}"#, []),
            (#"{"acknowledged":{"session":"s","marks":["a"],"key":"k","version":2,"change":"{a}"}}"#, [.repeatedInput]),
            (#"{"change":{"session":"s","change":"{b}","version":1,"epoch":"e"}}"#, [.twoContents]),
            (#"{"change":{"session":"s","change":"{b}","version":2,"epoch":"f"}}"#, [.newEpoch]),
            (
                #"{"outputs":{"session":"s","outputs":{"n":"1"},"marks":["a","x"],"version":1,"epoch":null,"floor":0}}"#,
                [.inventedInput]
            ),
            (
                #"{"outputs":{"session":"s","outputs":{},"marks":[],"version":0,"epoch":"e","floor":1}}"#,
                [.lostVersion]
            ),
            (#"{"fault":{"session":"s","detail":"a gap"}}"#, [.unevenVersions]),
            (#"{"end":{"session":"s","detail":"status 404"}}"#, [.lostSession]),
        ] as [(String, [SessionViolation.Kind])])
    func `a sighting in JSON is judged like a call`(json: String, kinds: [SessionViolation.Kind]) throws {
        var checker = acknowledged()
        checker.sawChange("{a}", of: 1, epoch: "e", in: "s")
        checker.record(try JSONDecoder().decode(Sighting.self, from: Data(json.utf8)))
        #expect(self.kinds(checker) == kinds)
    }

    private func checkKinds(_ kinds: [Kind], _ body: (inout SessionChecker) -> Void) {
        var checker = checker
        body(&checker)
        #expect(checker.violations.map(\.kind) == kinds)
    }
}
