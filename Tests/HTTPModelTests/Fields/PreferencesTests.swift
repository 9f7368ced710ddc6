import HTTPModel
import Testing

struct PreferencesTests {
    @Test(arguments: ["status", "Status", "respond-async, STATUS", "wait=5,status;x=1", "status=1", "a,\tstatus"])
    func `a preference is found in any case, with values and parameters`(value: String) throws {
        let fields: HTTPFields = [.prefer: try #require(HTTPFieldValue(value))]
        #expect(fields.prefers("status"))
    }

    @Test(arguments: ["statuses", "x;status", "wait=status", "anonymous"])
    func `another preference is not`(value: String) throws {
        let fields: HTTPFields = [.prefer: try #require(HTTPFieldValue(value))]
        #expect(!fields.prefers("status"))
    }

    @Test func `a field may be repeated`() {
        let fields: HTTPFields = [.prefer: "wait=1", .prefer: "status"]
        #expect(fields.prefers("status"))
    }
}
