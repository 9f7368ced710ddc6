import MacroExpansion

/// A compiler plugin: a program that the compiler starts and asks to expand macros.
@main
enum MacroPlugin {
    static func main() throws { try MacroService.run() }
}
