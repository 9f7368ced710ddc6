import HTTPModel
import Testing

@testable import MachineHost

struct PresentFieldsTests {
    @Test func `each field is recognized by its full name`() {
        #expect(PresentFields(of: [.accept: "*/*"]) == .accept)
        #expect(PresentFields(of: [.ifMatch: "*"]) == .conditions)
        #expect(PresentFields(of: ["If-None-Match": "*"]) == .conditions)
        #expect(PresentFields(of: [.host: "a", .idempotencyKey: "k", .accept: ""]) == [.idempotencyKey, .accept])
    }

    @Test func `other names of the same length are not recognized`() {
        #expect(
            PresentFields(of: ["cookie": "a", "if-rangx": "b", "authorization": "c", "accept-encoding": "d"]) == [])
        #expect(PresentFields(of: [:]) == [])
    }
}
