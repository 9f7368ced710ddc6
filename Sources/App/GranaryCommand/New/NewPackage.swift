import Foundation
import PackageTemplates

struct NewPackage {
    let template: PackageTemplate
    let name: PackageName
    let granary: GranarySource
    let folder: URL

    /// Parses the arguments of `granary new`.
    ///
    /// - Parameters:
    ///   - arguments: The name and the flags, in any order.
    ///   - folder: The folder in which the package is created.
    ///   - executable: The running program. If it was built in a checkout of Granary, the package uses this checkout.
    /// - Throws: An error that says what was expected.
    init(_ arguments: [String], in folder: URL, executable: URL) throws {
        var names: [String] = []
        var (style, source) = (PackageStyle.observable, GranarySource?.none)
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--") else {
                names.append(argument)
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard ["--style", "--granary"].contains(parts[0]) else {
                throw NewPackageError("new: expected --style or --granary, got \"\(parts[0])\"")
            }
            guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                throw NewPackageError("\(parts[0]) requires a value")
            }
            if parts[0] == "--style" { style = try PackageStyle(value) } else { source = try GranarySource(value) }
        }
        guard let text = names.first, names.count == 1 else {
            throw NewPackageError(
                names.isEmpty ? "new requires NAME" : "new: expected one NAME, got \(names.joined(separator: " "))")
        }
        name = try PackageName(text)
        granary = source ?? Checkout.containing(executable)?.source(from: folder) ?? .sibling
        template = try PackageTemplate(name: name, style: style, granary: granary)
        self.folder = folder
    }

    /// Writes the files. If one cannot be written, nothing of the package remains.
    ///
    /// - Throws: An error if the folder exists or a file cannot be written.
    func write() throws {
        let package = folder.appendingPathComponent(name.text)
        let files = FileManager.default
        // Creating fails if anything has this name, so nobody's files are overwritten or removed.
        do {
            try files.createDirectory(at: package, withIntermediateDirectories: false)
        } catch CocoaError.fileWriteFileExists {
            throw NewPackageError("expected a name that is not taken, but \(package.path) exists")
        }
        do {
            for file in template.files {
                let place = package.appendingPathComponent(file.path)
                try files.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(file.text.utf8).write(to: place)
            }
        } catch {
            try? files.removeItem(at: package)
            throw error
        }
    }

    /// Whether the checkout that the package uses is where it expects it.
    var hasGranary: Bool {
        guard case .path(let path) = granary else { return true }
        let base = folder.appendingPathComponent(name.text)
        return Checkout(folder: URL(fileURLWithPath: path, relativeTo: base)).exists
    }
}

struct NewPackageError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
