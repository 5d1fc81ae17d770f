// Which REST resource of the BUX venue a path names.

/// A resource.
enum BuxTarget: Equatable {
  /// One product.
  case product(String)
  /// All products whose symbol, name or identifier holds these words; all of them for "".
  case search(String)

  /// Reads `[/core/{n}]/products[/{id}|/search]`; nil for any other path.
  init?(_ request: VenueRequest) {
    var parts = request.path.split(separator: "/", omittingEmptySubsequences: true)[...]
    if parts.first == "core" {
      guard parts.count >= 2, parts[parts.startIndex + 1].allSatisfy(\.isNumber) else { return nil }
      parts = parts.dropFirst(2)
    }
    guard parts.first == "products" else { return nil }
    switch parts.dropFirst().first {
    case nil: self = .search("")
    case "search" where parts.count == 2: self = .search(request.queryValue("q") ?? "")
    case let identifier? where parts.count == 2: self = .product(String(identifier))
    default: return nil
    }
  }

  /// Whether a search for `words` finds a product, in any case.
  func matches(_ listing: BuxListing, _ words: String) -> Bool {
    if words.isEmpty { return true }
    let wanted = Array(words.lowercased().utf8)
    return [listing.symbol, listing.name, listing.identifier].contains { text in
      let bytes = Array(text.lowercased().utf8)
      guard wanted.count <= bytes.count else { return false }
      return (0...(bytes.count - wanted.count)).contains { start in
        bytes[start..<(start + wanted.count)].elementsEqual(wanted)
      }
    }
  }
}
