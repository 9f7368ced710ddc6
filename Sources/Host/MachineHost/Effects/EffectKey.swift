import HTTPModel

/// The key under which a service recognizes a repeated question.
enum EffectKey {
    /// Returns a random text that no other effect has.
    static func random() -> String {
        var bytes: [UInt8] = []
        for _ in 0..<2 {
            let word = UInt64.random(in: .min ... .max)
            withUnsafeBytes(of: word) { bytes.append(contentsOf: $0) }
        }
        return Hexadecimal.text(of: bytes)
    }
}
