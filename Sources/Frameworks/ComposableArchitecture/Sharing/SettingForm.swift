import Foundation

/// The form in which a value is kept among settings: one that `UserDefaults` has, so that other code can read and write the setting, or
/// JSON text.
enum SettingForm {
    /// Returns the form of a value; nil if the value is nil.
    static func form<Value: Codable>(of value: Value) throws -> Any? {
        guard let wrapped = unwrapped(value) else { return nil }
        if let form = try known(wrapped) {
            // A text that reads like JSON of a value would be taken for it.
            guard let text = form as? String, fromJSON(text, as: Value.self) != nil else { return form }
        }
        // In an array, because texts and numbers alone are no JSON documents for all decoders.
        return String(decoding: try JSONEncoder().encode([value]), as: UTF8.self)
    }

    /// Returns the value of a form; nil if it is that of another type.
    static func value<Value: Codable>(_ form: Any, as type: Value.Type) -> Value? {
        // First, because earlier versions kept all values like this.
        if let text = form as? String, let value = fromJSON(text, as: type) { return value }
        return known(form, as: type) as? Value
    }

    private static func fromJSON<Value: Codable>(_ text: String, as type: Value.Type) -> Value? {
        guard text.hasPrefix("[") else { return nil }
        let values = try? JSONDecoder().decode([Value].self, from: Data(text.utf8))
        return values?.count == 1 ? values?.first : nil
    }

    private static func unwrapped(_ value: Any) -> Any? {
        guard let optional = value as? any AnyOptional else { return value }
        return optional.wrapped.flatMap { unwrapped($0) }
    }

    /// Returns the form that `UserDefaults` has for a value; nil if it has none.
    private static func known(_ value: Any) throws -> Any? {
        switch value {
        case is Bool, is Int, is Double, is String, is Date, is Data: value
        // An empty array has no type of its own.
        case let texts as [String]: texts
        case let url as URL where url.isFileURL: url.absoluteURL.path(percentEncoded: false)
        // Not `UserDefaults.set(_: URL?, forKey:)`, which keeps only the path of any URL outside of Apple's systems.
        case let url as URL: try NSKeyedArchiver.archivedData(withRootObject: url as NSURL, requiringSecureCoding: true)
        case let value as any RawRepresentable: value.rawValue is Int || value.rawValue is String ? value.rawValue : nil
        default: nil
        }
    }

    /// Returns the value of a form that `UserDefaults` has; nil if it is that of another type.
    private static func known(_ form: Any, as type: Any.Type) -> Any? {
        switch type {
        case let type as any AnyOptional.Type: known(form, as: type.wrappedType)
        case is Bool.Type: form as? Bool ?? (form as? Int).flatMap { [0: false, 1: true][$0] }
        case is Int.Type: integer(form)
        case is Double.Type: form as? Double ?? (form as? Int).map { Double($0) }
        case is URL.Type: url(form)
        case let type as any RawRepresentable.Type: rawRepresentable(form, as: type)
        default: form
        }
    }

    private static func integer(_ form: Any) -> Int? {
        if let isOn = form as? Bool { return isOn ? 1 : 0 }
        return form as? Int ?? (form as? Double).flatMap { Int(exactly: $0) }
    }

    private static func url(_ form: Any) -> URL? {
        if let path = form as? String { return URL(filePath: NSString(string: path).expandingTildeInPath) }
        // Not `UserDefaults.url(forKey:)`, which ends the program if the data is no archive.
        guard let data = form as? Data else { return nil }
        return (try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSURL.self, from: data)).map { $0 as URL }
    }

    private static func rawRepresentable<Value: RawRepresentable>(_ form: Any, as type: Value.Type) -> Any? {
        guard Value.RawValue.self is Int.Type || Value.RawValue.self is String.Type else { return nil }
        return (known(form, as: Value.RawValue.self) as? Value.RawValue).flatMap { Value(rawValue: $0) }
    }
}
