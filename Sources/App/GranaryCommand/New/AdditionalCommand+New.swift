import Foundation
import Granary
import PackageTemplates

extension AdditionalCommand {
    static let new = AdditionalCommand(
        "new",
        arguments:
            "NAME [--style \(PackageStyle.allCases.map(\.rawValue).joined(separator: "|"))] [--granary PATH|ADDRESS]",
        description: """
            create a package in the folder NAME with a machine, a program that hosts it, and a test. --granary is a \
            checkout of Granary or the address of its Git repository; the default is the checkout in which this program was \
            built, otherwise ../granary
            """
    ) { arguments, print, printError in
        do {
            let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            let folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
            let package = try NewPackage(arguments, in: folder, executable: executable)
            try package.write()
            let name = package.name.text
            for file in package.template.files { print("\(name)/\(file.path)") }
            print("\nNext:\n  cd \(name)\n  swift test\n  swift run \(name)")
            if !package.hasGranary, case .path(let path) = package.granary {
                printError("warning: \(name)/Package.swift expects a checkout of Granary in \(path), which is missing")
            }
            return 0
        } catch let error as PackageTemplateError {
            printError("granary: \(error)")
            return 2
        } catch let error as NewPackageError {
            printError("granary: \(error)\nRun granary --help for a list of commands and flags.")
            return 2
        } catch {
            printError("granary: the package could not be written: \(error.localizedDescription)")
            return 1
        }
    }
}
