public import MarketModel
import MarketStreams
import VenueCatalogue

/// The list of all markets: topic `markets` of docs/page-protocol.md.
public struct MarketListState: Equatable, Sendable {
  /// The rows: by venue, closed ones last; the catalogue's own instruments first, then by symbol.
  public internal(set) var rows: [MarketRow]
  /// Whether the venues' lists are valid now.
  public internal(set) var freshness: Freshness

  /// The rows matching a query, in order.
  public func rows(matching query: String) -> [MarketRow] {
    rows.filter { $0.matches(query) }
  }
}

/// The list of all markets (LT13).
///
/// Prices are separate screens, so only visible ones are subscribed.
public struct MarketListScreen: Screen {
  /// The list now.
  public private(set) var state: MarketListState
  /// The instrument lists of the venues that have one.
  public let wanted: Set<MarketKey>

  private let closed: Set<Venue>
  private var links: [Venue: VenueLink] = [:]
  private var listings: [Venue: VenueListing] = [:]
  private var origin: DataOrigin

  /// Creates the list with the catalogue's instruments; those of `closed` venues are last.
  public init(closed: Set<Venue> = [], origin: DataOrigin = .venue) {
    self.closed = closed
    self.origin = origin
    let listing = Venue.allCases.filter { $0.descriptor.listsInstruments && !closed.contains($0) }
    wanted = Set(listing.map(MarketKey.listing))
    for venue in listing { links[venue] = VenueLink(venue) }
    state = MarketListState(rows: [], freshness: .waiting(origin))
    state.rows = rows()
  }

  /// Applies instrument lists and connection statuses.
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    switch input {
    case .value(let key, .listing(let listing)) where wanted.contains(key):
      let before = listings.updateValue(listing, forKey: key.venue)
      if before?.instruments != listing.instruments { state.rows = rows() }
    case .connection(let status) where links[status.venue] != nil:
      _ = links[status.venue]?.update(status)
      origin = status.origin
    default: return []
    }
    state.freshness = freshness
    return []
  }

  /// No actions.
  public typealias Action = Never

  /// The worst freshness of the venues' lists.
  private var freshness: Freshness {
    wanted.map { key in
      let own = listings[key.venue]?.freshness ?? .waiting(origin)
      return links[key.venue]?.judged(own) ?? own
    }.max { $0.state.severity < $1.state.severity } ?? .waiting(origin)
  }

  private func rows() -> [MarketRow] {
    let open = Venue.allCases.filter { !closed.contains($0) }
    let resting = Venue.allCases.filter(closed.contains)
    return (open + resting).flatMap(rows)
  }

  /// The catalogue's own instruments with the venue's status, then the venue's other instruments.
  private func rows(of venue: Venue) -> [MarketRow] {
    let own = MarketRows.catalogue(of: venue, isOpen: !closed.contains(venue))
    guard let listed = listings[venue]?.instruments, !listed.isEmpty else { return own }
    let bySymbol = Dictionary(
      listed.map { ($0.symbol, $0) }, uniquingKeysWith: { first, _ in first })
    let known = Set(own.map(\.instrument.symbol))
    return own.map { $0.opened(bySymbol[$0.instrument.symbol]?.isOpen ?? false) }
      + listed.filter { item in
        !known.contains(item.symbol) && BookCatalogue.mayHold(InstrumentKey(venue, item.symbol))
      }.map { MarketRow($0, at: venue) }
  }
}

extension MarketRow {
  fileprivate func opened(_ isOpen: Bool) -> MarketRow {
    MarketRow(instrument, name: name, kind: kind, base: base, quote: quote, isOpen: isOpen)
  }
}

enum MarketRows {
  /// The catalogue's instruments: those with a book, then the others.
  static func catalogue(of venue: Venue, isOpen: Bool) -> [MarketRow] {
    let books = venue.descriptor.books.map { book in
      MarketRow(
        InstrumentKey(venue, book.symbol), name: book.name,
        kind: book.contract == .base ? .spot : .contract, base: book.base, quote: book.quote,
        isOpen: isOpen)
    }
    let others = venue.descriptor.others.map { other in
      MarketRow(
        InstrumentKey(venue, other.symbol), name: other.name, kind: other.kind,
        base: other.symbol.text, quote: other.currency, isOpen: isOpen)
    }
    return books + others
  }
}
