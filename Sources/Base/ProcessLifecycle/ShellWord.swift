extension String {
    /// The text as one word of a command for a POSIX shell, for advice that people copy: in quotes if that is necessary.
    package var shellWord: String {
        let isPlain = allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+,-./:=@_".contains($0)) }
        return isPlain && !isEmpty ? self : "'\(replacing("'", with: #"'\''"#))'"
    }
}
