import Development
import Foundation
import Granary

extension AdditionalCommand {
    /// `granary dev`.
    static let dev = AdditionalCommand(
        "dev", arguments: "[PRODUCT] [FLAGS] [-- ARGUMENTS]",
        description: """
            build and serve the package in the working directory, and do it again whenever its sources change: sessions continue, and \
            pages show the errors of the compiler. FLAGS are those of swift build, ARGUMENTS those of serve
            """
    ) { arguments, _, printError in
        do throws(DevelopmentError) {
            let options = try DevelopmentOptions(arguments, in: FileManager.default.currentDirectoryPath)
            return try DevelopmentRun(options, printError: printError)
                .run(environment: ProcessInfo.processInfo.environment)
        } catch {
            printError("granary: \(error)")
            return 2
        }
    }
}
