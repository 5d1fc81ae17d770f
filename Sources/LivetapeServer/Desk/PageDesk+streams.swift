// The streams behind the topics: followed as long as a screen wants them, read at the pace of those
// who look.

import AppState
import MarketModel
import VenueProtocols

extension PageDesk {
  /// A stream that the desk follows may have another value; the next frame reads it.
  mutating func changed(_ key: MarketKey, at now: ClockReading) -> [DeskEffect] {
    guard !unread.contains(key), let names = followers[.values(key)] else { return [] }
    unread.insert(key)
    let slots = names.compactMap { self.slots[$0] }
    let effects = requestFrame(for: Set(slots.flatMap(\.pages)), .hasty, at: now)
    guard slots.contains(where: \.isReadAlone) else { return effects }
    _ = reader.changed(at: now.monotonic)
    return effects + wake(by: reader.due)
  }

  /// An event of a stream that the desk follows.
  mutating func receive(
    _ event: MarketEvent, of key: MarketKey, at now: ClockReading
  ) -> [DeskEffect] {
    let names = followers[.events(key)] ?? []
    return names.sorted().flatMap { deliver(.event(key, event), to: $0, at: now) }
  }

  /// Reads the streams that have changed since they were read last and that these pages look at,
  /// or, when it is time, that nobody does.
  mutating func read(
    for pages: Set<PageID>, at now: ClockReading, _ value: (MarketKey) -> MarketValue?
  ) -> [DeskEffect] {
    let isReaderDue = reader.isDue(at: now.monotonic)
    let keys = unread.filter { key in
      (followers[.values(key)] ?? []).contains { name in
        guard let slot = slots[name] else { return false }
        return isReaderDue && slot.isReadAlone || !slot.pages.isDisjoint(with: pages)
      }
    }
    unread.subtract(keys)
    if isReaderDue { keys.isEmpty ? reader.frameSkipped() : reader.frameSent(at: now.monotonic) }
    var effects: [DeskEffect] = []
    for interest in keys.map(StreamInterest.values).sorted(by: StreamInterest.precedes) {
      let key = interest.key
      guard let names = followers[interest], let value = value(key), value != values[key]
      else { continue }
      values[key] = value
      effects += names.sorted().flatMap { deliver(.value(key, value), to: $0, at: now) }
    }
    return effects
  }

  /// Follows what a screen wants; of streams that are followed already it gets the present value,
  /// since the next one may be long in coming.
  mutating func follow(_ name: String, at now: ClockReading) -> [DeskEffect] {
    guard let screen = slots[name]?.screen else { return [] }
    let wanted = Set(
      screen.wanted.map(StreamInterest.values) + screen.wantedEvents.map(StreamInterest.events))
    var effects: [DeskEffect] = []
    var present: [MarketKey] = []
    for interest in wanted.sorted(by: StreamInterest.precedes)
    where followers[interest]?.contains(name) != true {
      if followers[interest] == nil { effects.append(.observe(interest)) }
      followers[interest, default: []].insert(name)
      if case .values(let key) = interest { present.append(key) }
    }
    effects += unfollow(name, except: wanted)
    for key in present {
      guard let value = values[key] else { continue }
      effects += deliver(.value(key, value), to: name, at: now)
    }
    return effects
  }

  /// Follows no longer what only this topic wanted.
  mutating func unfollow(_ name: String, except wanted: Set<StreamInterest>) -> [DeskEffect] {
    var effects: [DeskEffect] = []
    let left = followers.filter { $0.value.contains(name) && !wanted.contains($0.key) }.keys
    for interest in left.sorted(by: StreamInterest.precedes) {
      followers[interest]?.remove(name)
      if followers[interest]?.isEmpty == true {
        followers[interest] = nil
        if case .values(let key) = interest {
          values[key] = nil
          unread.remove(key)
        }
        effects.append(.release(interest))
      }
    }
    return effects
  }
}
