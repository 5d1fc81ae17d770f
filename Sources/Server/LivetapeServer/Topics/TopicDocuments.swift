// States that are too large for one message: a page fetches them over HTTP, compressed and beside
// its socket, so that they hold up no price and no sign of life.

import MarketModel

/// The states that pages may fetch, the latest few.
struct TopicDocuments: Sendable {
  /// The largest message to a page that fetches documents, in bytes.
  static let maximumMessageBytes = 16 << 10
  /// The most documents kept.
  static let maximumCount = 128
  /// The most bytes of all documents together, before compression.
  static let maximumBytes = 32 << 20

  /// A topic's state at one moment.
  struct Document: Sendable {
    let json: [UInt8]
    /// Whether it is worth a place in the browser's cache.
    let isLasting: Bool
    /// What ``json`` becomes; nil before it was asked for.
    var compressed: [UInt8]?
  }

  private var documents: [String: Document] = [:]
  /// Their names, the oldest first.
  private var names: [String] = []
  private var bytes = 0

  /// A document by its name.
  subscript(name: String) -> Document? { documents[name] }

  /// Keeps a state, and returns its name, which follows from its content.
  mutating func keep(_ json: [UInt8], isLasting: Bool) -> String {
    var hash = FNV1a()
    for byte in json { hash.combine(byte: byte) }
    let digits = String(hash.value, radix: 16)
    let name = String(repeating: "0", count: 16 - digits.count) + digits
    if documents[name] != nil { return name }
    documents[name] = Document(json: json, isLasting: isLasting)
    names.append(name)
    bytes += json.count
    while names.count > 1,
      names.count > TopicDocuments.maximumCount || bytes > TopicDocuments.maximumBytes
    {
      bytes -= documents.removeValue(forKey: names.removeFirst())?.json.count ?? 0
    }
    return name
  }

  /// Keeps what a document was compressed to.
  mutating func setCompressed(_ compressed: [UInt8], of name: String) {
    documents[name]?.compressed = compressed
  }
}
