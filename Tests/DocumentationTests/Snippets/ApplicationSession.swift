import Granary
import HTTPModel

/// Users of an existing application, by the value of its cookie.
func applicationSession(_ users: [String: String]) -> HostAuthenticator {
    HostAuthenticator(name: "application") { request in
        let cookies = request.fields.value("cookie")?.split(separator: ";") ?? []
        for cookie in cookies {
            let parts = cookie.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0] == "app_session" else { continue }
            guard let user = users[String(parts[1])] else { return .rejected("The session has ended. Sign in again.") }
            return .principal(id: user)
        }
        return .none
    }
}
