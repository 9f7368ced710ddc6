/// The rules for the names of inputs and outputs.
package enum PortName {
    /// Returns whether a machine may use the name for one of its ports.
    ///
    /// Names that begin with `$` are reserved for the host, which adds members such as `$emitted` to the outputs.
    package static func isAvailable(_ name: String) -> Bool {
        guard let first = name.utf8.first else { return false }
        return first != UInt8(ascii: "$")
    }

    /// Returns whether the name can be used in an address and in the list of a query.
    static func isAddressable(_ name: String) -> Bool {
        isAvailable(name)
            && name.utf8.allSatisfy {
                $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "/")
            }
    }
}
