/// A package that cannot be created. The text says what was expected and what was received.
package struct PackageTemplateError: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
