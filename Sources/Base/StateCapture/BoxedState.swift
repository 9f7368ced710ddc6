/// A structure whose only value lives in an object that its copies share until one of them changes. It is captured like a structure
/// with that value as its only field.
package protocol BoxedState: CompositeState, ByteComparable {
    /// The type of the value.
    associatedtype Content

    /// The name of the field.
    static var contentName: String { get }

    /// The value.
    var content: Content { get }

    /// Creates the structure with a value.
    init(content: Content)
}

extension BoxedState {
    /// Whether equal bytes prove that two values are equal. The object of a copy does not change.
    package static var isComparedByBytes: Bool { StateComparison.isSound(for: Content.self) }

    /// Returns the codec of the structure; nil if its value cannot be captured.
    package static func stateCodec(_ reading: inout CodecReading, at path: String) -> StateCodec<Self>? {
        reading.codec(of: Content.self, at: "\(path).\(contentName)").map { codec in
            let field = FieldCodec(contentName, at: 0, codec)
            return StateCodec { value, json in
                try withUnsafePointer(to: value.content) { try FieldCodec.append([field], of: $0, to: &json) }
            } decode: { json in
                Self(content: try StateCodec<Content>.fields([field]).decode(json))
            }
        }
    }
}
