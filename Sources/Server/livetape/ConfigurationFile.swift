import ArgumentParser
import Foundation
import LivetapeServer

/// A validated configuration file of `livetape serve`.
///
/// Its entries become flags before those of the command line, so that both are parsed and validated
/// the same way.
struct ConfigurationFile {
  /// The allowed keys, in the order of the help.
  static let keys = ConfigurationKey.keys(of: ServeCommand.self)

  let path: String
  private let entries: [ConfigurationEntry]

  /// Reads a file; throws a ``CommandFailure`` with file and line.
  init(path: String) throws {
    guard let handle = FileHandle(forReadingAtPath: path),
      let data = try? handle.read(upToCount: ConfigurationText.maximumBytes + 1)
    else { throw CommandFailure("\(path) can't be read") }
    guard let text = String(bytes: data, encoding: .utf8) else {
      throw CommandFailure("\(path) is not UTF-8")
    }
    self.path = path
    do {
      entries = try ConfigurationText.entries(of: text)
    } catch {
      throw CommandFailure("\(path):\(error.line): \(error.message)")
    }
    for entry in entries { try check(entry) }
  }

  private func check(_ entry: ConfigurationEntry) throws {
    func failure(_ message: String) -> CommandFailure {
      CommandFailure("\(path):\(entry.line): \(message)")
    }
    guard let key = ConfigurationFile.keys.first(where: { $0.name == entry.key }) else {
      let names = ConfigurationFile.keys.map(\.name).joined(separator: ", ")
      throw failure("there is no key “\(entry.key.prefix(80))”, only \(names)")
    }
    switch (entry.value, key.kind) {
    case (.text, .text), (.number, .number), (.list, .list): break
    default: throw failure("\(entry.key) needs \(key.kind.rawValue)")
    }
    do {
      _ = try ServeCommand.parse(ConfigurationFile.arguments(of: entry))
    } catch let error as CommandFailure {
      throw failure(error.message)
    } catch {
      throw failure(ServeCommand.message(for: error))
    }
  }

  func arguments(without given: Set<String> = []) -> [String] {
    entries.filter { !given.contains($0.key) }.flatMap(ConfigurationFile.arguments)
  }

  private static func arguments(of entry: ConfigurationEntry) -> [String] {
    let values =
      switch entry.value {
      case .text(let text): [text]
      case .number(let number): [String(number)]
      case .truth(let isTrue): [String(isTrue)]
      case .list(let list): list
      }
    return values.map { "--\(entry.key)=\($0)" }
  }

  // MARK: On the command line

  /// Inserts the file of `serve --config FILE` into the arguments.
  ///
  /// A flag of the command line replaces the file's key, a list as a whole.
  static func expanded(_ arguments: [String]) throws -> [String] {
    guard arguments.first == "serve", let path = path(in: arguments) else { return arguments }
    let file = try ConfigurationFile(path: path)
    return ["serve"] + file.arguments(without: given(in: arguments)) + arguments.dropFirst()
  }

  private static func path(in arguments: [String]) -> String? {
    for (index, argument) in arguments.enumerated().reversed() {
      if argument.hasPrefix("--config=") { return String(argument.dropFirst(9)) }
      if argument == "--config", index + 1 < arguments.count { return arguments[index + 1] }
    }
    return nil
  }

  private static func given(in arguments: [String]) -> Set<String> {
    var names = Set<String>()
    for argument in arguments where argument.hasPrefix("--") {
      let name = String(argument.dropFirst(2).prefix { $0 != "=" })
      // "--kraken-url" and the like are older forms of --url.
      names.insert(name.hasSuffix("-url") ? "url" : name)
    }
    return names
  }
}

/// A key with the type of its value.
struct ConfigurationKey {
  enum Kind: String {
    case text = "a \"text\""
    case number = "a whole number"
    case list = "a [list] of texts"
  }

  let name: String
  let kind: Kind

  /// The keys that `command` accepts in a file, in the order of its help.
  static func keys(of command: (some ParsableCommand).Type) -> [ConfigurationKey] {
    let help = try? JSONDecoder().decode(Help.self, from: Data(command._dumpHelp().utf8))
    let options = help?.command.arguments.filter { $0.kind == "option" && $0.shouldDisplay } ?? []
    return options.compactMap { option in
      guard let name = option.preferredName?.name, name != "config" else { return nil }
      return ConfigurationKey(name: name, kind: option.valueKind)
    }
  }

  /// ArgumentParser's description of a command, with its field names.
  private struct Help: Decodable {
    struct Command: Decodable { let arguments: [Option] }
    struct Name: Decodable { let name: String }
    struct Option: Decodable {
      let kind: String
      let preferredName: Name?
      let shouldDisplay: Bool
      let isRepeating: Bool
      let defaultValue: String?

      var valueKind: Kind {
        if isRepeating { return .list }
        return defaultValue.flatMap { Int64($0) } == nil ? .text : .number
      }
    }
    let command: Command
  }
}
