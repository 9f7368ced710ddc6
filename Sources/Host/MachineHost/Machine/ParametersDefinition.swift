import JSONText

/// The parameters that a client states when it creates a session of a machine.
///
/// Created once, at registration. Machines of the frameworks get it from the type that their registration names; see
/// `MachineDefinition.ricemill(_:summary:parameters:…)`.
public struct ParametersDefinition: Sendable {
    /// The schema of the parameters.
    public let schema: JSONSchema
    /// Decodes the bytes of one JSON value into what ``SessionContext/parameters(as:)`` returns. The syntax of the value has been
    /// checked. Throws if the value does not match the type.
    public let prepare: @Sendable (ArraySlice<UInt8>) throws(InputMismatch) -> any Sendable

    /// Creates a definition.
    public init(
        schema: JSONSchema,
        prepare: @escaping @Sendable (ArraySlice<UInt8>) throws(InputMismatch) -> any Sendable
    ) {
        self.schema = schema.withOutermostDefinitions
        self.prepare = prepare
    }

    /// The JSON that stands for parameters that a request does not state: an empty object, or `null` for a type of another form.
    var absent: ArraySlice<UInt8> {
        Array((ParametersDefinition.isObject(schema) ? "{}" : "null").utf8)[...]
    }

    private static func isObject(_ schema: JSONSchema) -> Bool {
        switch schema {
        case .object, .open, .dictionary, .reference, .any: true
        case .definitions(let schema, _), .named(_, let schema): isObject(schema)
        default: false
        }
    }
}

extension MachineDefinition {
    /// Decodes the parameters of a new session.
    ///
    /// - Parameter given: The parameters of the request; nil if it states none.
    /// - Returns: The parameters as JSON and as a value; nil if the machine takes none.
    /// - Throws: The mismatches, with pointers into the parameters.
    func readParameters(
        _ given: JSONValue?
    ) throws(InputMismatch) -> (json: ArraySlice<UInt8>, value: any Sendable)? {
        let stated = given.flatMap { $0.kind == .null ? nil : $0 }
        guard let parameters else {
            guard let stated else { return nil }
            throw InputMismatch(
                pointer: "", detail: "expected none, because the machine takes no parameters, got \(stated.kind.name)")
        }
        // A copy of its own: the slice would keep the whole body.
        let json = stated.map { Array($0.slice)[...] } ?? parameters.absent
        return (json, try parameters.prepare(json))
    }

    /// Returns the parameters and the name with which a stored session was created, with the parameters decoded.
    ///
    /// - Throws: ``UnreadableSession`` if this build expects other parameters.
    func restoreCreation(of stored: StoredSession) throws(UnreadableSession) -> SessionCreation? {
        // Those of a machine that takes none any more are kept, for the build that takes them.
        guard let parameters else { return SessionCreation(stored) }
        let json = stored.parameters ?? parameters.absent
        do throws(InputMismatch) {
            return SessionCreation(parameters: json, value: try parameters.prepare(json), name: stored.named?.name)
        } catch {
            // Without the detail, which quotes the value that a client has sent.
            throw .parameters(pointers: error.items.map { "/parameters" + $0.pointer })
        }
    }
}
