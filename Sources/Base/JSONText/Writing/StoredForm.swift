/// Tells a type whether it is encoded or decoded for a store, which only this program reads, or for clients.
///
/// A type whose form for clients leaves out a part of its state stores that part, too.
package enum StoredForm {
    private static let key = CodingUserInfoKey(rawValue: "granary.storedForm")

    /// Returns whether an encoder or a decoder with a `userInfo` is that of a store.
    package static func isRequested(by userInfo: [CodingUserInfoKey: Any]) -> Bool {
        key.map { userInfo[$0] != nil } ?? false
    }

    /// Returns the `userInfo` of a coder. Only those of a store represent numbers by their bits.
    static func userInfo(_ nonFinite: NonFiniteNumbers) -> [CodingUserInfoKey: Any] {
        guard nonFinite == .bits, let key else { return [:] }
        return [key: true]
    }
}
