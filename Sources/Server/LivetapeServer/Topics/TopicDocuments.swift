import MarketModel

/// The latest states that are too large for a message.
///
/// Pages fetch them over HTTP, compressed and outside the socket, so that they delay neither prices
/// nor pings.
struct TopicDocuments: Sendable {
  /// The maximum message size for a page that fetches documents, in bytes.
  static let maximumMessageBytes = 16 << 10
  static let maximumCount = 128
  /// The maximum total size in bytes, before compression.
  static let maximumBytes = 32 << 20

  struct Document: Sendable {
    let json: [UInt8]
    /// Whether the browser should cache it.
    let isLasting: Bool
    /// The compressed ``json``; nil before the first request.
    var compressed: [UInt8]?
  }

  private var documents: [String: Document] = [:]
  /// Oldest first.
  private var names: [String] = []
  private var bytes = 0

  subscript(name: String) -> Document? { documents[name] }

  /// Stores a state; returns its name, a hash of its content.
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

  mutating func setCompressed(_ compressed: [UInt8], of name: String) {
    documents[name]?.compressed = compressed
  }
}
