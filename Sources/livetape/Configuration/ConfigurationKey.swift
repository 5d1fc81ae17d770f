// The keys of a configuration file: the flags that `serve --help` shows, read from the command
// itself, so that a new flag is a key without another line.

import ArgumentParser
import Foundation

/// A key and what its value has to be.
struct ConfigurationKey {
  enum Kind: String {
    case text = "a \"text\""
    case number = "a whole number"
    case list = "a [list] of texts"
  }

  /// The flag's name, without its dashes.
  let name: String
  let kind: Kind

  /// The keys that `command` takes, in the order of its help; without those that only a command
  /// line can have.
  static func keys(of command: (some ParsableCommand).Type) -> [ConfigurationKey] {
    let help = try? JSONDecoder().decode(Help.self, from: Data(command._dumpHelp().utf8))
    let options = help?.command.arguments.filter { $0.kind == "option" && $0.shouldDisplay } ?? []
    return options.compactMap { option in
      guard let name = option.preferredName?.name, name != "config" else { return nil }
      return ConfigurationKey(name: name, kind: option.valueKind)
    }
  }

  /// What ArgumentParser says of a command; its field names.
  private struct Help: Decodable {
    struct Command: Decodable { let arguments: [Option] }
    struct Name: Decodable { let name: String }
    struct Option: Decodable {
      let kind: String
      let preferredName: Name?
      let shouldDisplay: Bool
      let isRepeating: Bool
      let defaultValue: String?

      /// A whole number where the default is one.
      var valueKind: Kind {
        if isRepeating { return .list }
        return defaultValue.flatMap { Int64($0) } == nil ? .text : .number
      }
    }
    let command: Command
  }
}
