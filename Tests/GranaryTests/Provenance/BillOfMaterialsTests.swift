import Foundation
import Testing

@testable import Granary

struct BillOfMaterialsTests {
    private struct Document: Decodable {
        struct Component: Decodable {
            struct License: Decodable {
                struct Identifier: Decodable { let id: String }
                let license: Identifier
            }
            let type: String
            let name: String
            let version: String
            let licenses: [License]?
            let purl: String?
        }
        struct Metadata: Decodable {
            struct Property: Decodable {
                let name: String
                let value: String
            }
            let component: Component
            let properties: [Property]
        }
        let bomFormat: String
        let specVersion: String
        let version: Int
        let metadata: Metadata
        let components: [Component]
    }

    @Test func `the document names the program, its build and its libraries`() throws {
        let bill = BillOfMaterials(
            program: ProgramIdentity(name: "todo", version: "2.0", executable: ""),
            provenance: BuildProvenance(
                commit: "97118f62", language: "6.3", compiler: "clang 21", isDebug: false, architecture: "aarch64"),
            libraries: [LinkedLibrary(name: "zlib", version: "1.2.3", license: "Zlib")])
        let document = try JSONDecoder().decode(Document.self, from: Data(bill.text.utf8))
        #expect(document.bomFormat == "CycloneDX" && document.specVersion == "1.5" && document.version == 1)
        #expect(document.metadata.component.name == "todo" && document.metadata.component.version == "2.0")
        #expect(document.metadata.properties.map(\.value) == ["97118f62", "clang 21", "release", "aarch64"])
        #expect(document.components.map(\.name) == ["granary", "zlib"])
        #expect(document.components.last?.licenses?.first?.license.id == "Zlib")
        #expect(document.components.last?.purl == "pkg:generic/zlib@1.2.3")
        #expect(document.components.allSatisfy { $0.type == "library" })
    }

    @Test func `the versions of the loaded libraries are known`() {
        let libraries = LinkedLibrary.all
        #expect(
            libraries.map(\.name).filter { $0 != "postgresql" } == [
                "brotli", "curl", "glibc", "nghttp2", "openssl", "sqlite", "swift", "zlib",
            ])
        for library in libraries {
            #expect(library.version.first?.isNumber == true, "\(library.name) \(library.version)")
            #expect(library.version.contains("."), "\(library.name) \(library.version)")
        }
        #expect(
            BillOfMaterials(program: ProgramIdentity(name: "a", version: nil, executable: "")).text.contains("sqlite"))
    }
}
