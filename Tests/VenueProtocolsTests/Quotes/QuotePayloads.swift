// The recorded messages of the quote venues, read from the test bundle.

import Foundation

enum QuotePayloads {
  struct Line { let milliseconds: Int64, isSent: Bool, text: String }

  static func data(_ path: String) throws -> Data {
    let folder = Bundle.module.bundleURL.appendingPathComponent("Payloads")
    return try Data(contentsOf: folder.appendingPathComponent(path))
  }

  static func session(_ name: String) throws -> [Line] {
    let text = String(decoding: try data("isin/\(name).tsv"), as: UTF8.self)
    return text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: "\t", maxSplits: 2).map(String.init)
      guard fields.count == 3, let seconds = Double(fields[0]) else { return nil }
      return Line(milliseconds: Int64(seconds * 1000), isSent: fields[1] == ">", text: fields[2])
    }
  }
}
