/// What a kind of problem means and what to do about it: the page to which the `type` of an error leads.
struct ProblemExplanation: Sendable {
    /// The last part of the problem's type.
    let kind: String
    /// The status that it is answered with.
    let status: Int
    /// What happened.
    let meaning: String
    /// What the client can do.
    let remedy: String

    init(_ kind: String, _ status: Int, _ meaning: String, _ remedy: String) {
        self.kind = kind
        self.status = status
        self.meaning = meaning
        self.remedy = remedy
    }

    /// Where the page is found.
    var path: String { "/problems/\(kind)" }

    /// The whole page.
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
                <p>Answered with status <code>\(status)</code>.</p>
                <p>\(meaning)</p>
                <p>\(remedy)</p>
              </main>
            </body>
            </html>

            """.utf8)
    }
}
