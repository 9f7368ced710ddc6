import HTTPModel
import Testing

@testable import MachineHost

struct FieldPresenceTests {
    @Test func `each field is recognized by its full name`() {
        #expect(FieldPresence(of: [.accept: "*/*"]) == .accept)
        #expect(FieldPresence(of: [.ifMatch: "*"]) == .conditions)
        #expect(FieldPresence(of: ["If-None-Match": "*"]) == .conditions)
        #expect(FieldPresence(of: [.host: "a", .idempotencyKey: "k", .accept: ""]) == [.idempotencyKey, .accept])
    }

    @Test func `other names of the same length are not recognized`() {
        #expect(
            FieldPresence(of: ["cookie": "a", "if-rangx": "b", "authorization": "c", "accept-encoding": "d"]) == [])
        #expect(FieldPresence(of: [:]) == [])
    }
}
