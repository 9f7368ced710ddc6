/// The media types that compression makes smaller. Other types are compressed already or unknown.
enum CompressibleType {
    private static let whole: Set<String> = [
        "application/javascript", "application/json", "application/manifest+json", "application/openmetrics-text",
        "application/wasm", "application/x-ndjson", "application/xml", "font/otf", "font/ttf", "image/bmp",
        "image/vnd.microsoft.icon", "image/x-icon",
    ]

    /// Returns whether a `Content-Type` is such a type. Parameters are ignored.
    static func contains(_ contentType: String) -> Bool {
        let type = contentType.prefix { $0 != ";" && $0 != " " && $0 != "\t" }.lowercased()
        return type.utf8.starts(with: "text/".utf8) || type.hasSuffix("+json") || type.hasSuffix("+xml")
            || type.hasSuffix("+text") || whole.contains(type)
    }
}
