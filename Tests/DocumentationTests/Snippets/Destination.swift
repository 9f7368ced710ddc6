import CasePathMacros

@CasePathable
@dynamicMemberLookup
enum Destination {
    case alert(String)
    case settings(isOn: Bool)
}

func turnOff(_ destination: inout Destination) {
    guard destination.is(\.settings) else { return }
    destination.modify(\.settings) { $0 = false }
}

func message(of destination: Destination) -> String? {
    destination.alert
}
