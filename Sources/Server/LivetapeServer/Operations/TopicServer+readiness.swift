import AppState
import MarketModel
import MarketStreams
import PaperTrading
import VenueCatalogue

extension TopicServer {
  /// What keeps this server from being ready: connections, orders, and books on pages.
  ///
  /// Books are reread with `value` instead of waiting for the next frame. A venue that the user
  /// stopped is not a fault, nor is one that rejects this location, unless it was requested by
  /// name; its book on a page is. O(books on pages).
  func readiness(reading value: (MarketKey) -> MarketValue?) -> Readiness {
    var reasons = venueReasons
    if orders == nil {
      reasons.append(UnreadyReason(code: .starting, text: "the orders are not open yet"))
    } else if let failure = orders?.failure {
      reasons.append(UnreadyReason(code: .ordersRefused, text: failure.description))
    }
    let contradicted = contradictedBooks
    for key in watchedBooks {
      let instrument = InstrumentKey(key.venue, key.subscription.symbol)
      var rejectsLocation = false
      if case .book(let book)? = value(key) { rejectsLocation = book.doubt == .location }
      if rejectsLocation, !requestedVenues.contains(key.venue) { continue }
      if let reason = TopicServer.reason(of: key, value(key), contradicted.contains(instrument)) {
        reasons.append(reason)
      }
    }
    return Readiness(reasons: reasons)
  }

  private var venueReasons: [UnreadyReason] {
    guard !connections.isEmpty else {
      return [UnreadyReason(code: .starting, text: "the venues are not asked yet")]
    }
    return connections.keys.sorted().compactMap { venue in
      guard let status = connections[venue], !status.phase.isConnected, status.phase != .stopped,
        !status.rejectsLocation || requestedVenues.contains(venue)
      else { return nil }
      let cause = status.reason.map { ": \($0)" } ?? ""
      return UnreadyReason(
        code: .venueDisconnected, venue: venue,
        text: "\(venue.descriptor.displayName) is not connected (\(status.phase))\(cause)")
    }
  }

  private var watchedBooks: [MarketKey] {
    followers.keys.compactMap { interest in
      guard case .values(let key) = interest, key.subscription.channel == .book else { return nil }
      return key
    }.sorted { ($0.venue, $0.subscription) < ($1.venue, $1.subscription) }
  }

  /// Books whose latest rows failed the venue's checksum on a screen.
  private var contradictedBooks: Set<InstrumentKey> {
    Set(
      slots.values.compactMap { slot in
        guard let truth = slot.screen.truth, truth.level == .resyncing else { return nil }
        return truth.instrument
      })
  }

  private static func reason(
    of key: MarketKey, _ value: MarketValue?, _ isContradicted: Bool
  ) -> UnreadyReason? {
    func reason(_ code: UnreadyReason.Code, _ text: String) -> UnreadyReason {
      UnreadyReason(
        code: code, venue: key.venue, symbol: key.subscription.symbol,
        text: "the book of \(key.subscription.symbol) \(text)")
    }
    guard case .book(let book)? = value else { return reason(.bookNotLive, "has not come yet") }
    guard book.isKnown, book.freshness.state != .closed else { return nil }
    guard book.freshness.state == .live, book.status == .synced else {
      let state = book.freshness.state == .live ? book.status.rawValue : "\(book.freshness.state)"
      return reason(.bookNotLive, "is \(state)")
    }
    if isContradicted { return reason(.bookNotLive, "is resyncing") }
    let needsProof = key.venue.descriptor.bookAssurance == .checksum && book.grouping.isNone
    return needsProof && book.proof == nil
      ? reason(.bookUnproven, "has no checksum of its venue") : nil
  }
}
