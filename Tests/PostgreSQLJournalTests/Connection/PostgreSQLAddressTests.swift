import MachineHost
import Testing

@testable import PostgreSQLJournal

struct PostgreSQLAddressTests {
    @Test
    func `an address shows its user, its hosts and its database, and nothing else`() throws {
        let address = try PostgreSQLAddress(
            "postgresql://granary:hush@one:5433,two:5434/sessions?sslpassword=hush&target_session_attrs=read-write")
        #expect("\(address)" == "postgresql://granary@one,two:5433,5434/sessions")
        var text = ""
        dump(address, to: &text)
        #expect(!text.contains("hush") && !String(reflecting: address).contains("hush"))
    }

    @Test(arguments: [
        "sqlite:journal", "postgresql:/one", "postgresql://granary:hu@sh@one/sessions", "postgresql://one/x?hush=1",
        "postgresql://granary:hush@[one/sessions", "postgresql://granary:%zzhush@one/sessions", "",
    ])
    func `an invalid address is refused without a part of it`(uri: String) {
        let error = failure { _ = try PostgreSQLAddress(uri) }
        #expect(error?.kind == .unsupported)
        #expect(error?.detail.contains("hu") == false)
    }
}
