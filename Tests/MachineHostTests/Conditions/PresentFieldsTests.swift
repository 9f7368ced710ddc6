import HTTPModel
import Testing

@testable import MachineHost

struct PresentFieldsTests {
    @Test func `each field is found by its whole name`() {
        #expect(PresentFields(of: [.accept: "*/*"]) == .accept)
        #expect(PresentFields(of: [.ifMatch: "*"]) == .conditions)
        #expect(PresentFields(of: ["If-None-Match": "*"]) == .conditions)
        #expect(PresentFields(of: [.host: "a", .idempotencyKey: "k", .accept: ""]) == [.idempotencyKey, .accept])
    }

    @Test func `names of the same length are others`() {
        #expect(
            PresentFields(of: ["cookie": "a", "if-rangx": "b", "authorization": "c", "accept-encoding": "d"]) == [])
        #expect(PresentFields(of: [:]) == [])
    }
}
