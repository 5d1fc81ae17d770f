import AppState
package import MarketModel
package import MarketStreams
import VenueCatalogue

extension TopicServer {
  /// Records that a followed stream has changed; the next frame reads it.
  ///
  /// `stamp` belongs to the message that changed it, and is evaluated only if this change starts a
  /// frame.
  package mutating func changed(
    _ key: MarketKey, at now: ClockReading, by stamp: @autoclosure () -> MessageStamp? = nil
  ) -> [TopicEffect] {
    guard !unread.contains(key) else {
      counts.conflated &+= 1
      return []
    }
    guard let names = followers[.values(key)] else { return [] }
    unread.insert(key)
    stamps[key] = stamp()
    let slots = names.compactMap { self.slots[$0] }
    return requestFrame(for: Set(slots.flatMap(\.pages)), .hasty, at: now)
  }

  mutating func receive(
    _ candles: CandleStreamState, of instrument: InstrumentKey, at now: ClockReading
  ) -> [TopicEffect] {
    if followers[.candles(instrument)] != nil { self.candles[instrument] = candles }
    return deliver(.candles(instrument, candles), of: .candles(instrument), at: now)
  }

  mutating func receive(_ survey: SurveyState, at now: ClockReading) -> [TopicEffect] {
    if followers[.survey] != nil { self.survey = survey }
    return deliver(.survey(survey), of: .survey, at: now)
  }

  /// Delivers an input to the topics that follow a stream.
  mutating func deliver(
    _ input: ScreenInput, of interest: StreamInterest, at now: ClockReading
  ) -> [TopicEffect] {
    followers[interest, default: []].sorted().flatMap { deliver(input, to: $0, at: now) }
  }

  /// Reads changed streams that these pages show.
  mutating func read(
    for pages: Set<PageID>, at now: ClockReading, _ value: (MarketKey) -> MarketValue?
  ) -> [TopicEffect] {
    let keys = unread.filter { key in
      (followers[.values(key)] ?? []).contains { slots[$0]?.pages.isDisjoint(with: pages) == false }
    }
    return read(keys, at: now, value)
  }

  /// Reads streams, whichever pages show them.
  mutating func read(
    _ keys: Set<MarketKey>, at now: ClockReading, _ value: (MarketKey) -> MarketValue?
  ) -> [TopicEffect] {
    unread.subtract(keys)
    var effects: [TopicEffect] = []
    for interest in keys.map(StreamInterest.values).sorted(by: StreamInterest.precedes) {
      guard case .values(let key) = interest, let names = followers[interest] else { continue }
      let stamp = stamps.removeValue(forKey: key)
      guard let value = value(key), value != values[key] else { continue }
      values[key] = value
      if let stamp { effects += begin(stamp, shownBy: names, at: now) }
      effects += deliver(.value(key, value), of: interest, at: now)
    }
    return effects
  }

  /// Follows a screen's wanted streams.
  ///
  /// For streams already followed it delivers the current value, since the next one may take long.
  mutating func follow(_ name: String, at now: ClockReading) -> [TopicEffect] {
    guard let wanted = slots[name]?.screen.interests else { return [] }
    var effects: [TopicEffect] = []
    var present: [ScreenInput] = []
    for interest in wanted.sorted(by: StreamInterest.precedes)
    where followers[interest]?.contains(name) != true {
      if followers[interest] == nil { effects.append(.observe(interest)) }
      followers[interest, default: []].insert(name)
      present += self.present(interest)
    }
    effects += unfollow(name, except: wanted)
    return effects + present.flatMap { deliver($0, to: name, at: now) }
  }

  private func present(_ interest: StreamInterest) -> [ScreenInput] {
    switch interest {
    case .values(let key): values[key].map { [.value(key, $0)] } ?? []
    case .candles(let instrument): candles[instrument].map { [.candles(instrument, $0)] } ?? []
    case .survey: survey.map { [.survey($0)] } ?? []
    case .orders: orders.map { [.orders($0)] } ?? []
    case .positions: positions.values.map { .position($0) }
    }
  }

  /// Stops following streams that only this topic wanted.
  mutating func unfollow(_ name: String, except wanted: Set<StreamInterest>) -> [TopicEffect] {
    var effects: [TopicEffect] = []
    let left = followers.filter { $0.value.contains(name) && !wanted.contains($0.key) }.keys
    for interest in left.sorted(by: StreamInterest.precedes) {
      followers[interest]?.remove(name)
      if followers[interest]?.isEmpty == true {
        followers[interest] = nil
        switch interest {
        case .values(let key):
          values[key] = nil
          unread.remove(key)
          stamps[key] = nil
        case .candles(let instrument): candles[instrument] = nil
        case .survey: survey = nil
        case .orders, .positions: break
        }
        effects.append(.release(interest))
      }
    }
    return effects
  }
}
