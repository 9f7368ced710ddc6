import Foundation

/// The status of `granary dev` that pages show.
public struct DevelopmentStatus: Equatable, Sendable {
    /// The state of the program.
    public enum State: Equatable, Sendable {
        /// The program is being built.
        case building
        /// The newest build serves.
        case serving
        /// The newest program could not be built or started, for the reason in the text.
        case failed(String)
    }

    /// The number of the newest program that was built, from 1; 0 before the first one.
    public let build: Int
    /// The state of the program.
    public let state: State

    /// Creates a status.
    public init(build: Int, state: State) {
        self.build = build
        self.state = state
    }

    /// The longest text of a failure, in bytes. Pages read the status twice a second.
    static let maxLength = 16 << 10

    /// The status as JSON: `{"build":3,"state":"failed","text":"…"}`.
    public var json: [UInt8] {
        let content: Content
        switch state {
        case .building: content = Content(build: build, state: "building", text: nil)
        case .serving: content = Content(build: build, state: "serving", text: nil)
        case .failed(let text):
            content = Content(build: build, state: "failed", text: DevelopmentStatus.shortened(text))
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Neither numbers nor texts can fail to be encoded.
        return (try? encoder.encode(content)).map { Array($0) } ?? Array("{}".utf8)
    }

    private struct Content: Encodable {
        let build: Int
        let state: String
        let text: String?
    }

    /// The first lines of a text, as far as they fit.
    static func shortened(_ text: String) -> String {
        guard text.utf8.count > maxLength else { return text }
        let end = text.utf8.index(text.utf8.startIndex, offsetBy: maxLength)
        let kept = text.utf8[..<end].lastIndex(of: UInt8(ascii: "\n")) ?? end
        return String(decoding: text.utf8[..<kept], as: UTF8.self) + "\n…"
    }
}
