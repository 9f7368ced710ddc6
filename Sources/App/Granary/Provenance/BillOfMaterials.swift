import Contract

/// The components of a program, in the format of CycloneDX 1.5 (ECMA-424). Contains no time and no random number, so that
/// the same build on the same system has the same text.
struct BillOfMaterials {
    let program: ProgramIdentity
    /// How it was built.
    var provenance = BuildProvenance.current
    var libraries = LinkedLibrary.all

    /// The document as indented JSON.
    var text: String {
        let granary = LinkedLibrary(name: "granary", version: GranaryVersion.current, license: "")
        let document: DocumentValue = [
            "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": metadata,
            "components": .array(([granary] + libraries).map(component)),
        ]
        var json: [UInt8] = []
        document.append(to: &json, indentation: 0)
        return String(decoding: json, as: UTF8.self)
    }

    private var metadata: DocumentValue {
        let properties = [
            ("commit", provenance.commit ?? "unknown"), ("compiler", provenance.compiler),
            ("configuration", provenance.isDebug ? "debug" : "release"), ("architecture", provenance.architecture),
        ]
        return [
            "component": [
                "type": "application", "bom-ref": "program", "name": .string(program.name),
                "version": .string(program.version ?? "unknown"),
            ],
            "properties": .array(
                properties.map { ["name": .string("granary:build:\($0)"), "value": .string($1)] }),
        ]
    }

    private func component(_ library: LinkedLibrary) -> DocumentValue {
        .members([
            ("type", "library"), ("bom-ref", .string(library.name)), ("name", .string(library.name)),
            ("version", .string(library.version)),
            (
                "licenses",
                library.license.isEmpty ? nil : [["license": ["id": .string(library.license)]]]
            ),
            ("purl", .string("pkg:generic/\(library.name)@\(library.version)")),
        ])
    }
}
