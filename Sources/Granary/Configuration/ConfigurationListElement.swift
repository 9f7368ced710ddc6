import HTTPServer

/// A type of which a configuration key can have a list: in a flag or an environment variable separated by commas, in a file
/// as an array of texts.
protocol ConfigurationListElement: Sendable, Equatable {
    /// What a reader should have written, for messages and for the help.
    static var listExpectation: String { get }

    /// What was expected in the place of a text that is none; nil if it is one.
    static func expectation(inPlaceOf text: String) -> String?

    /// Nil if `text` is no value of this type.
    init?(element text: String)

    /// The value as it is written.
    var element: String { get }
}

extension Array: ConfigurationValue where Element: ConfigurationListElement {
    static var expectation: String { Element.listExpectation }

    init?(text: String) {
        self.init(elements: Self.elements(.text(text)))
    }

    init?(json: JSON5Value) {
        self.init(elements: Self.elements(.json(json)))
    }

    private init?(elements: [String]?) {
        guard let elements else { return nil }
        self = elements.compactMap(Element.init(element:))
        guard count == elements.count else { return nil }
    }

    var text: String { map(\.element).joined(separator: ",") }

    var literal: String { "[" + map { JSON5Text.quoted($0.element) }.joined(separator: ", ") + "]" }

    /// The elements of a list, whether or not they are any; nil if it is no list.
    static func elements(_ raw: ConfigurationKey.RawValue) -> [String]? {
        switch raw {
        case .text(let text): return text.split(separator: ",").map { $0.trimmingSpaces() }
        case .json(.array(let elements)):
            let strings = elements.compactMap(String.init(json:))
            return strings.count == elements.count ? strings : nil
        case .json: return nil
        }
    }

    /// The first element that is none.
    static func fault(_ raw: ConfigurationKey.RawValue) -> ConfigurationKey.Fault? {
        for element in elements(raw) ?? [] {
            guard let expectation = Element.expectation(inPlaceOf: element) else { continue }
            return ConfigurationKey.Fault(expectation: expectation, element: element)
        }
        return nil
    }
}

extension String: ConfigurationListElement {
    static let listExpectation = "a list of texts (in a flag or variable: separated by commas)"

    static func expectation(inPlaceOf text: String) -> String? { nil }

    init?(element text: String) {
        self = text
    }

    var element: String { self }
}

extension HTTPListener: ConfigurationListElement {
    static let listExpectation =
        "a list of listeners, such as \"http://127.0.0.1:8080,https://[::]:8443,admin+http://127.0.0.1:9090,"
        + "unix:/run/granary.sock?mode=0660,https+unix:/run/secure.sock\""

    static func expectation(inPlaceOf text: String) -> String? {
        do throws(HTTPListenerError) {
            _ = try HTTPListener(text)
            return nil
        } catch {
            return error.expectation
        }
    }

    init?(element text: String) {
        do throws(HTTPListenerError) {
            try self.init(text)
        } catch {
            return nil
        }
    }

    var element: String { description }
}

extension Substring {
    fileprivate func trimmingSpaces() -> String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
