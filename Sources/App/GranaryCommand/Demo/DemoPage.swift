import Granary

extension Configuration {
    /// The sessions of the demo's page belong to its browser, so that a reloaded page and another tab show them again.
    static var demo: Configuration {
        var configuration = Configuration()
        configuration.access.usesCookie = true
        return configuration
    }
}

extension Page {
    /// The cards for the counter, the search, the game and the board, above the list of machines.
    static var demo: Page {
        Page(
            content: String(decoding: PackageResources.demos_html, as: UTF8.self), scripts: ["/demos.js"],
            styleSheets: ["/demos.css"],
            files: [
                PageFile(path: "/board.js", content: PackageResources.board_js),
                PageFile(path: "/counter.js", content: PackageResources.counter_js),
                PageFile(path: "/demos.css", content: PackageResources.demos_css),
                PageFile(path: "/demos.js", content: PackageResources.demos_js),
                PageFile(path: "/search.js", content: PackageResources.search_js),
                PageFile(path: "/shape.js", content: PackageResources.shape_js),
                PageFile(path: "/tictactoe.js", content: PackageResources.tictactoe_js),
            ])
    }
}
