/// The errors of the fields of a form: a sentence for each field that is not valid.
struct FieldErrors: Codable, Equatable, Sendable {
    var name: String?
    var email: String?
    var terms: String?

    /// Whether the form can be submitted.
    var isEmpty: Bool { self == FieldErrors() }
}

extension FieldErrors {
    /// The longest e-mail address, in bytes (RFC 5321, section 4.5.3.1.3).
    private static let maxEmailLength = 254
    private static let maxNameLength = 100

    init(_ form: SignUp.State) {
        if form.name.allSatisfy(\.isWhitespace) {
            name = "Enter your name."
        } else if form.name.count > FieldErrors.maxNameLength {
            name = "Enter a name of at most \(FieldErrors.maxNameLength) characters."
        }
        if !FieldErrors.isEmail(form.email) { email = "Enter an e-mail address, such as ann@example.org." }
        if !form.acceptsTerms { terms = "Accept the terms." }
    }

    /// Returns whether a text has the form of an address: a local part and a domain of several labels.
    private static func isEmail(_ text: String) -> Bool {
        guard text.utf8.count <= maxEmailLength, !text.contains(where: \.isWhitespace) else { return false }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return false }
        let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        return labels.count > 1 && labels.allSatisfy { !$0.isEmpty }
    }
}
