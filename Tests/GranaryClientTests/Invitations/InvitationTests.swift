import Foundation
import GranaryClient
import Testing

struct InvitationTests {
    @Test func `a link has a server, a machine, a session and a ticket`() throws {
        let link = try #require(
            URL(string: "https://todo.example/lists/#machine=composable-todos&session=s-1&ticket=a.b%2Bc"))
        let invitation = try #require(Invitation(link))
        #expect(invitation.server == URL(string: "https://todo.example/lists/"))
        #expect(invitation.machine == "composable-todos")
        #expect(invitation.session == "s-1")
        #expect(invitation.ticket == "a.b+c")
    }

    @Test(arguments: [
        "http://localhost:8080", "http://localhost:8080/#", "http://localhost:8080/#machine=counter&session=s",
        "http://localhost:8080/#machine=counter&session=&ticket=t", "http://localhost:8080/#session=s&ticket=t",
        "http://localhost:8080/#machine=counter&session=s%0D%0A&ticket=t",
        "http://localhost:8080/#machine=counter&session=s&ticket=t%0D%0AX-Evil:%201",
        "http://localhost:8080/#machine=counter&session=..%2Fs&ticket=t",
    ])
    func `another address is not an invitation`(text: String) throws {
        #expect(Invitation(try #require(URL(string: text))) == nil)
    }
}
