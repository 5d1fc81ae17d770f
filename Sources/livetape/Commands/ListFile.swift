// The lists that a server keeps in its data folder, as `watch --list` reads them.

import AppState
import Foundation
import MarketModel

/// Reads a person's lists.
enum ListFile {
  /// The instruments of a list, by its name or its identifier.
  ///
  /// - Throws: a ``CommandFailure`` when there are no lists, they can't be read, none has this
  ///   name, or it is empty.
  static func members(of name: String, in folder: String) throws -> [InstrumentKey] {
    let url = URL(fileURLWithPath: folder).appendingPathComponent("lists.json")
    guard let file = try? FileHandle(forReadingFrom: url) else {
      throw CommandFailure("there are no lists in \(folder)")
    }
    defer { try? file.close() }
    guard let data = try? file.read(upToCount: MarketLists.maximumBytes + 1),
      let lists = try? MarketLists(decoding: Array(data).span)
    else { throw CommandFailure("\(url.path) holds no lists that can be read") }
    let named = lists[name] ?? lists.lists.first { $0.name.lowercased() == name.lowercased() }
    guard let named else {
      let names = lists.lists.map(\.name).joined(separator: ", ")
      throw CommandFailure("there is no list \(name), only \(names)")
    }
    guard !named.members.isEmpty else { throw CommandFailure("the list \(named.name) is empty") }
    return named.members
  }
}
