/// The explanation of a kind of problem, published at the URL in the `type` of an error response (RFC 9457).
struct ProblemExplanation: Sendable {
    /// The last path component of the problem's type.
    let kind: String
    /// The status code of the response.
    let status: Int
    let meaning: String
    /// The steps with which a client can solve the problem.
    let remedy: String

    init(_ kind: String, _ status: Int, _ meaning: String, _ remedy: String) {
        self.kind = kind
        self.status = status
        self.meaning = meaning
        self.remedy = remedy
    }

    var path: String { "/problems/\(kind)" }

    var html: [UInt8] {
        let title = kind.split(separator: "-").joined(separator: " ")
        return Array(
            """
            <!doctype html>
            <html lang="en">
            <head>
              <meta charset="utf-8">
              <meta name="viewport" content="width=device-width, initial-scale=1">
              <meta name="color-scheme" content="light dark">
              <title>\(title) – Granary</title>
              <link rel="icon" href="/icon.svg" type="image/svg+xml">
              <link rel="stylesheet" href="/style.css">
            </head>
            <body>
              <main class="prose">
                <p class="brand"><a href="/">Granary</a></p>
                <h1>\(title.prefix(1).uppercased())\(title.dropFirst())</h1>
                <p>Status code: <code>\(status)</code></p>
                <p>\(meaning)</p>
                <p>\(remedy)</p>
              </main>
            </body>
            </html>

            """.utf8)
    }
}
