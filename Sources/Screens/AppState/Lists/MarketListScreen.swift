public import MarketModel
import MarketStreams
import VenueCatalogue

/// The list of all markets: topic `markets` of docs/page-protocol.md.
public struct MarketListState: Equatable, Sendable {
  /// The rows of the chosen list, in ``order``.
  public internal(set) var rows: [MarketRow]
  /// The order of the rows.
  public internal(set) var order = MarketOrder.listed
  /// When the ranked figures were read; nil without a ranking.
  public internal(set) var rankedAt: Timestamp?
  /// Whether the venues' lists are valid now.
  public internal(set) var freshness: Freshness

  /// The rows matching a query, in order.
  public func rows(matching query: String) -> [MarketRow] { rows.filter { $0.matches(query) } }
}

/// An order of the list of all markets.
public enum MarketOrder: String, CaseIterable, Sendable {
  /// By venue, closed ones last; the catalogue's own instruments first, then by symbol.
  case listed
  /// By name.
  case name
  /// The largest rise of 24 hours first.
  case gainers
  /// The largest fall of 24 hours first.
  case losers

  fileprivate var isRanking: Bool { self == .gainers || self == .losers }
}

/// The list of all markets (LT13).
///
/// A ranking keeps the figures it was made of, so that rows don't move while they are read. Markets
/// without a change of 24 hours come last. Prices are separate screens, so only visible ones are
/// subscribed.
public struct MarketListScreen: Screen {
  /// The list now.
  public private(set) var state: MarketListState
  /// The instrument lists of the venues that have one.
  public let wanted: Set<MarketKey>

  private let closed: Set<Venue>
  private var survey = SurveyState()
  /// The change of 24 hours by which each market is ranked, in percent.
  private var ranks: [InstrumentKey: FixedDecimal] = [:]
  private var favourites: Set<InstrumentKey>?
  private var links: [Venue: VenueLink] = [:]
  private var listings: [Venue: VenueListing] = [:]
  /// The rows of each venue, as its list is now.
  private var venueRows: [Venue: [MarketRow]] = [:]
  private var origin: DataOrigin

  /// Creates the list with the catalogue's instruments; those of `closed` venues are last.
  public init(closed: Set<Venue> = [], origin: DataOrigin = .venue) {
    self.closed = closed
    self.origin = origin
    let listing = Venue.allCases.filter { $0.descriptor.listsInstruments && !closed.contains($0) }
    wanted = Set(listing.map(MarketKey.listing))
    for venue in listing { links[venue] = VenueLink(venue) }
    state = MarketListState(rows: [], freshness: .waiting(origin))
    for venue in Venue.allCases { venueRows[venue] = rows(of: venue) }
    state.rows = rows()
  }

  /// The survey is needed for rankings only.
  public var wantsSurvey: Bool { state.order.isRanking }

  /// Applies instrument lists, connection statuses and, in a ranking, the survey.
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    switch input {
    case .value(let key, .listing(let listing)) where wanted.contains(key):
      let before = listings.updateValue(listing, forKey: key.venue)
      if before?.instruments != listing.instruments {
        venueRows[key.venue] = rows(of: key.venue)
        state.rows = rows()
      }
    case .connection(let status) where links[status.venue] != nil:
      _ = links[status.venue]?.update(status)
      origin = status.origin
    case .survey(let news):
      survey = news
      guard wantsSurvey else { return [] }
      rank(at: now)
    default: return []
    }
    state.freshness = freshness
    return []
  }

  /// A user action.
  public enum Action: Sendable {
    /// Orders the rows; a ranking uses the figures of this moment.
    case order(MarketOrder)
    /// Shows only these markets; nil shows all.
    case show(Set<InstrumentKey>?)
  }

  /// Orders or filters the rows.
  public mutating func perform(_ action: Action, at now: ClockReading) -> [ScreenEffect] {
    switch action {
    case .order(let order):
      state.order = order
      (ranks, state.rankedAt) = ([:], nil)
      if order.isRanking { rank(at: now) } else { state.rows = rows() }
      return [.wantedChanged]
    case .show(let markets):
      favourites = markets
      state.rows = rows()
      return []
    }
  }

  /// Adds markets to the ranking; those in it keep their figures.
  private mutating func rank(at now: ClockReading) {
    let ranked = ranks.count
    for row in survey.rows where ranks[row.instrument] == nil {
      guard row.figures.window == .last24Hours else { continue }
      ranks[row.instrument] = row.figures.changePercent
    }
    // The survey changes four times a second, the ranking only while markets are new to it.
    guard ranks.count > ranked || ranked == 0 else { return }
    if state.rankedAt == nil, !ranks.isEmpty { state.rankedAt = now.wall }
    state.rows = rows()
  }

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
    let all = (open + resting).flatMap { venueRows[$0] ?? [] }
    let shown = favourites.map { chosen in all.filter { chosen.contains($0.instrument) } } ?? all
    switch state.order {
    case .listed: return shown
    case .name: return shown.sorted { $0.name < $1.name }
    case .gainers, .losers:
      let ranked = shown.compactMap { row in ranks[row.instrument].map { (row, $0) } }
        .sorted { state.order == .gainers ? $0.1 > $1.1 : $0.1 < $1.1 }
      return ranked.map(\.0) + shown.filter { ranks[$0.instrument] == nil }
    }
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
        kind: book.kind, base: book.base, quote: book.quote, isOpen: isOpen)
    }
    let others = venue.descriptor.others.map { other in
      MarketRow(
        InstrumentKey(venue, other.symbol), name: other.name, kind: other.kind,
        base: other.symbol.text, quote: other.currency, isOpen: isOpen)
    }
    return books + others
  }
}
