enum ActionName {
    /// Returns the cases of an action and of its nested actions, joined by dots: `login.emailChanged`.
    static func path<Action>(of action: Action) -> String {
        var names: [String] = []
        var next: Any? = action
        while let value = next {
            let mirror = Mirror(reflecting: value)
            guard mirror.displayStyle == .enum else { break }
            guard let child = mirror.children.first else {
                names.append("\(value)")
                break
            }
            names.append(child.label ?? "")
            let payload = Mirror(reflecting: child.value)
            next = payload.displayStyle == .tuple ? payload.children.map(\.value).last : child.value
        }
        return names.joined(separator: ".")
    }
}
