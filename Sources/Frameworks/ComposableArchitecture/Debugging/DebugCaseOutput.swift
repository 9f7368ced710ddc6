/// Returns the case of an enum without its associated values: `AppAction.login(.emailChanged)`.
func debugCaseOutput(_ value: Any) -> String {
    func names(_ value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .enum:
            guard let child = mirror.children.first else { return ".\(value)" }
            let payload = names(child.value)
            return ".\(child.label ?? "")\(payload.isEmpty ? "" : "(\(payload))")"
        case .tuple:
            return mirror.children
                .map { child in
                    let label = child.label.flatMap { $0.first == "." ? nil : $0 }
                    let payload = names(child.value)
                    if let label { return payload.isEmpty ? "\(label):" : "\(label): \(payload)" }
                    return payload.isEmpty ? "_:" : payload
                }
                .joined(separator: ", ")
        default: return ""
        }
    }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum else { return String(describing: mirror.subjectType) }
    return "\(String(describing: mirror.subjectType))\(names(value))"
}
