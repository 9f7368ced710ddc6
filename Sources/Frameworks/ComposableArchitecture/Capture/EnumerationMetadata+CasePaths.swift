import CasePaths
package import StateCapture

/// Lets enumerations that are not `Codable` be captured by case and associated values, as the states and actions of most
/// features are.
extension EnumerationMetadata: EnumerationReading {
    /// Returns the cases of an enumeration, by tag; nil if the type does not describe them.
    package static func cases(of type: any Any.Type) -> [EnumerationCase]? {
        guard let shape = EnumShape(type) else { return nil }
        return shape.cases.map { found in
            EnumerationCase(
                name: found.name, payload: found.payload, values: found.places, canBeCreated: found.canBeCreated)
        }
    }

    package static func tag<Root>(of value: Root) -> Int { shape(of: Root.self).tag(of: value) }

    /// Returns the payload of a value whose case has a payload of this type.
    package static func payload<Root, Payload>(of value: Root, as type: Payload.Type) -> Payload {
        shape(of: Root.self).payload(of: value, as: type)
    }

    /// Creates a value of a case whose payload a closure initializes at an address.
    package static func value<Root>(
        tag: Int, as type: Root.Type, _ initialize: (UnsafeMutableRawPointer) -> Void
    ) -> Root {
        shape(of: Root.self).value(ofCase: tag, as: type, initialize)
    }

    private static func shape(of type: any Any.Type) -> EnumShape {
        guard let shape = EnumShape(type) else {
            preconditionFailure("expected an enumeration whose cases were found before, got \(type)")
        }
        return shape
    }
}
