// LT13: everything readable in one list. Prices are screens of their own, so that only what is
// looked at is subscribed.

public import MarketModel
import MarketStreams
import VenueCatalogue

/// What the list of all markets shows: topic `markets` of docs/page-protocol.md.
public struct MarketListState: Equatable, Sendable {
  /// The rows in natural order: by venue, closed ones last; the catalogue's own instruments first,
  /// then by symbol.
  public internal(set) var rows: [MarketRow]
  /// Whether the venues' lists can be believed now.
  public internal(set) var freshness: Freshness

  /// The rows that a query finds, in natural order.
  public func rows(matching query: String) -> [MarketRow] {
    rows.filter { $0.matches(query) }
  }
}

/// The list of all markets.
public struct MarketListScreen: Screen {
  /// The list now.
  public private(set) var state: MarketListState
  /// The lists of the venues that give one.
  public let wanted: Set<MarketKey>

  private let closed: Set<Venue>
  private var links: [Venue: VenueLink] = [:]
  private var listings: [Venue: VenueListing] = [:]
  private var origin: DataOrigin

  /// Makes the list with the instruments of the catalogue; those of `closed` venues come last.
  public init(closed: Set<Venue> = [], origin: DataOrigin = .venue) {
    self.closed = closed
    self.origin = origin
    let listing = Venue.allCases.filter { $0.descriptor.listsInstruments && !closed.contains($0) }
    wanted = Set(listing.map(MarketKey.listing))
    for venue in listing { links[venue] = VenueLink(venue) }
    state = MarketListState(rows: [], freshness: .waiting(origin))
    state.rows = rows()
  }

  /// Takes lists of venues and statuses of their connections.
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

  /// Nothing can be done here but to follow a link.
  public typealias Action = Never

  /// The worst of the venues' lists.
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

  /// The catalogue's own instruments first, with what the venue says of them, then all others that
  /// the venue lists.
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

/// The instruments of a venue's own catalogue.
enum MarketRows {
  /// All of a venue that it need not list itself: those with a book, then the others.
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
