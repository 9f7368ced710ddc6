import Testing

@testable import MachineHost

struct NearestTests {
    @Test(arguments: [("", "", 0), ("abc", "abc", 0), ("abc", "abd", 1), ("port", "prot", 2), ("", "abc", 3)])
    func `the distance is the number of edits`(left: String, right: String, distance: Int) {
        #expect(Nearest.distance(left, right) == distance)
        #expect(Nearest.distance(right, left) == distance)
    }

    @Test func `a name that resembles no other gets no suggestion`() {
        #expect(Nearest.hint(for: "colour", among: ["http.port"]) == "")
    }
}
