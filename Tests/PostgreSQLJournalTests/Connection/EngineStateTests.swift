import MachineHost
import Testing

@testable import PostgreSQLJournal

struct EngineStateTests {
    private func obstacle(
        to durability: Durability, isStandby: Bool = false, _ changed: [String: String] = [:]
    ) -> String? {
        let settings = [
            "fsync": "on", "full_page_writes": "on", "synchronous_commit": "on", "synchronous_standby_names": "one",
        ]
        return EngineState(
            place: [], timeline: 1, isStandby: isStandby, settings: settings.merging(changed) { $1 }
        ).obstacle(to: durability)
    }

    @Test
    func `an engine that waits for a standby keeps both promises`() {
        #expect(obstacle(to: .disk) == nil)
        #expect(obstacle(to: .replicated) == nil)
        #expect(obstacle(to: .replicated, ["synchronous_commit": "remote_apply"]) == nil)
    }

    @Test(arguments: ["local", "remote_write", "off"])
    func `a commit that does not wait for the flush of the standby is not replicated`(value: String) {
        let found = obstacle(to: .replicated, ["synchronous_commit": value])
        #expect(found?.contains("synchronous_commit") == true)
        #expect((obstacle(to: .disk, ["synchronous_commit": value]) == nil) == (value != "off"))
    }

    @Test(arguments: ["", " "])
    func `an engine without a standby is not replicated`(value: String) {
        #expect(
            obstacle(to: .replicated, ["synchronous_standby_names": value])?.contains("synchronous_standby_names")
                == true)
        #expect(obstacle(to: .disk, ["synchronous_standby_names": value]) == nil)
    }

    @Test(arguments: ["fsync", "full_page_writes"])
    func `an engine that does not survive the loss of power keeps no promise`(setting: String) {
        #expect(obstacle(to: .disk, [setting: "off"])?.contains(setting) == true)
    }

    @Test
    func `a standby stores nothing`() {
        #expect(obstacle(to: .disk, isStandby: true)?.contains("standby") == true)
    }
}
