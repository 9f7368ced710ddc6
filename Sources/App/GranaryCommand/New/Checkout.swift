import Foundation
import PackageTemplates

/// A folder with the sources of Granary.
struct Checkout {
    let folder: URL

    /// Whether the folder has Granary's manifest.
    var exists: Bool {
        let manifest = try? String(contentsOf: folder.appendingPathComponent("Package.swift"), encoding: .utf8)
        return manifest?.contains(#"name: "granary""#) == true
    }

    /// Returns the checkout in which a file is, or `nil`.
    static func containing(_ file: URL) -> Checkout? {
        var folder = file.deletingLastPathComponent().standardizedFileURL
        while folder.path != "/" {
            let checkout = Checkout(folder: folder)
            if checkout.exists { return checkout }
            folder = folder.deletingLastPathComponent().standardizedFileURL
        }
        return nil
    }

    /// How a package in a folder names the checkout: by a relative path if it is next to the package.
    func source(from other: URL) -> GranarySource {
        let (folder, other) = (folder.standardizedFileURL, other.standardizedFileURL)
        let isSibling = folder.deletingLastPathComponent().standardizedFileURL.path == other.path
        return .path(isSibling ? "../\(folder.lastPathComponent)" : folder.path)
    }
}
