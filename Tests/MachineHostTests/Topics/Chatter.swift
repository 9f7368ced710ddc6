import CombineCore
import MachineTesting

@testable import MachineHost

/// The subscriptions of a machine that chats.
final class Chatter {
    var cancellables: [AnyCancellable] = []
    var guests: Presence<String>?
}

extension MachineDefinition {
    /// A machine that shows what it hears of the topic `chat`, and says what its inputs state.
    ///
    /// - Parameters:
    ///   - rule: The rule of the topic.
    ///   - wire: Wires more.
    static func chatting(
        _ rule: TopicRule = .dropOldest, _ wire: @escaping @Sendable (ScriptedMachine, Chatter) -> Void = { _, _ in }
    ) -> MachineDefinition {
        var definition = ScriptedMachine.definition(
            outputs: ["heard", "there", "followers"],
            inputs: [
                "say": { machine, value in machine.chat(rule).send(plain(value)) },
                "offer": { machine, value in machine.chat(rule).offer(plain(value)) },
                "count": { machine, value in
                    for number in 1...(Int(value) ?? 1) { machine.chat(rule).send("\(number)") }
                },
                "sayAndFail": { machine, value in
                    machine.chat(rule).send(plain(value))
                    machine.fail("heard", with: .init("it is broken"))
                },
                "leave": { machine, _ in machine.chatter?.cancellables = [] },
                "enter": { machine, value in machine.chatter?.guests?.enter(plain(value)) },
                "goOut": { machine, _ in machine.chatter?.guests?.leave() },
                "nothing": { _, _ in },
            ],
            made: { machine in
                ScriptedState.capture(machine)
                let chatter = Chatter()
                machine.attachment = chatter
                chatter.cancellables.append(
                    machine.chat(rule).sink { [unowned machine] in machine.append($0, to: "heard") })
                wire(machine, chatter)
            })
        definition.captureObstacles = []
        return definition
    }

    /// A machine that also shows who is there, and how many clients follow it.
    static var meeting: MachineDefinition {
        .chatting { machine, chatter in
            let guests = machine.context.presence(in: "chat", of: String.self)
            chatter.guests = guests
            // By another presence, as a part of a machine would that only shows the list.
            chatter.cancellables.append(
                machine.context.presence(in: "chat", of: String.self).sink { [unowned machine] list in
                    machine.set("there", to: "\"\(list.count): \(list.members.joined(separator: ","))\"")
                })
            chatter.cancellables.append(
                machine.context.followers().sink { [unowned machine] in machine.set("followers", to: "\($0)") })
        }
    }
}

private func plain(_ json: String) -> String { json.filter { $0 != "\"" } }

extension ScriptedMachine {
    fileprivate var chatter: Chatter? { attachment as? Chatter }

    fileprivate func chat(_ rule: TopicRule) -> Topic<String> {
        context.topic("chat", of: String.self, delivering: rule)
    }

    fileprivate func append(_ text: String, to output: String) {
        let list = value(of: output) ?? "[]"
        set(output, to: list == "[]" ? "[\"\(text)\"]" : "\(list.dropLast()),\"\(text)\"]")
    }
}
