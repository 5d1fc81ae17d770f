import MarketModel
import TicketModel

/// The texts of one action, separated, in the order of the page's `ticket-core.js`.
///
/// A missing text reads as empty.
struct TicketInput {
  private let texts: [ArraySlice<UInt8>]

  /// Splits the page's input; no text contains the separator.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    texts = Array(bytes).split(separator: 0x1F, omittingEmptySubsequences: false)
  }

  private func bytes(_ index: Int) -> ArraySlice<UInt8> {
    texts.indices.contains(index) ? texts[index] : []
  }

  // Inlined at each call, these would be a tenth of the page's ticket code.
  @inline(never)
  func text(_ index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }

  /// nil for an empty text.
  func optional(_ index: Int) -> String? { bytes(index).isEmpty ? nil : text(index) }

  /// A sentence as parts with a separator between them: of each its number of arguments as a letter
  /// and its key, before its arguments, which begin with "t" if they are texts; nil if it is empty.
  func sentence(_ index: Int) -> Sentence? {
    var parts = bytes(index).split(separator: 0x1E, omittingEmptySubsequences: false)[...]
    guard case .sentence(let sentence)? = TicketInput.argument(&parts) else { return nil }
    return sentence
  }

  private static func argument(
    _ parts: inout ArraySlice<ArraySlice<UInt8>>
  ) -> Sentence.Argument? {
    guard let part = parts.popFirst(), let kind = part.first else { return nil }
    let text = String(decoding: part.dropFirst(), as: UTF8.self)
    if kind == UInt8(ascii: "t") { return .text(text) }
    guard UInt8(ascii: "A")...UInt8(ascii: "M") ~= kind else { return nil }
    var arguments: [Sentence.Argument] = []
    for _ in 0..<(kind - UInt8(ascii: "A")) {
      guard let argument = argument(&parts) else { return nil }
      arguments.append(argument)
    }
    return .sentence(Sentence(key: text, arguments: arguments))
  }

  func texts(from index: Int) -> [String] {
    texts.indices.dropFirst(index).map { text($0) }
  }

  @inline(never)
  func decimal(_ index: Int) -> FixedDecimal? { FixedDecimal(plain: text(index)) }

  func integer(_ index: Int) -> Int64 { decimal(index)?.exactly(at: .whole)?.units ?? 0 }

  /// Whether the text is not empty.
  func flag(_ index: Int) -> Bool { !bytes(index).isEmpty }

  func side(_ index: Int) -> Side { bytes(index).first == UInt8(ascii: "s") ? .sell : .buy }

  /// nil for an unknown field.
  func field(_ index: Int) -> TicketDraft.Field? {
    switch bytes(index).first {
    case UInt8(ascii: "q"): .quantity
    case UInt8(ascii: "t"): .trigger
    case UInt8(ascii: "p"):
      bytes(index).elementsEqual("price".utf8)
        ? .price : bytes(index).elementsEqual("profit".utf8) ? .profit : .protection
    default: nil
    }
  }

  /// "gtc", "ioc", "fok", "hour", "day" or "week", or "post" with one of the latter three; GTC for
  /// anything else.
  func validity(_ index: Int) -> TicketDraft.Validity {
    switch bytes(index).first {
    case UInt8(ascii: "i"): .immediateOrCancel
    case UInt8(ascii: "f"): .fillOrKill
    case UInt8(ascii: "p"):
      switch bytes(index).dropFirst(4).first {
      case UInt8(ascii: "h"): .postHour
      case UInt8(ascii: "d"): .postDay
      case UInt8(ascii: "w"): .postWeek
      default: .postOnly
      }
    case UInt8(ascii: "h"): .hour
    case UInt8(ascii: "d"): .day
    case UInt8(ascii: "w"): .week
    default: .goodTillCancelled
    }
  }

  /// "stop", "takeProfit", "trail", "trailPercent", "oco" or "bracket"; none for anything else.
  func condition(_ index: Int) -> TicketDraft.Condition {
    switch bytes(index).first {
    case UInt8(ascii: "s"): .stop
    case UInt8(ascii: "t"):
      bytes(index).elementsEqual("takeProfit".utf8)
        ? .takeProfit : bytes(index).elementsEqual("trail".utf8) ? .trail : .trailPercent
    case UInt8(ascii: "o"): .oco
    case UInt8(ascii: "b"): .bracket
    default: .none
    }
  }

  @inline(never)
  func offer(_ index: Int) -> BestLevel? {
    decimal(index).map { BestLevel(price: $0, quantity: decimal(index + 1)) }
  }

  func action(_ kind: Int32) -> TicketAction? {
    switch kind {
    case 1: .know(facts)
    case 2:
      .read(
        NumberSigns(
          decimal: text(0), group: text(1), digits: text(2), currencies: texts(from: 3)))
    case 3: .side(side(0))
    case 4: .pricing(bytes(0).first == UInt8(ascii: "l") ? .limit : .market)
    case 5: field(0).map { .type($0, text(1)) }
    case 6: field(0).map { .step($0, integer(1)) }
    case 7: field(0).map { .hold($0, integer(1)) }
    case 8: .release
    case 9: field(0).map { .click($0, integer(1)) }
    case 10: .takeLastQuantity
    case 11: decimal(0).map { .takePrice($0) }
    case 12: .key(side(0))
    case 13: .goOn(name: text(0))
    case 14: .back
    case 15: .place
    case 16: .edit
    case 17: .next
    case 18: .insist
    case 19: .abandon
    default: word(kind)
    }
  }

  /// Actions of the order service, the link and the clock.
  private func word(_ kind: Int32) -> TicketAction? {
    switch kind {
    case 20: preview.map { .previewed(UInt32(truncatingIfNeeded: integer(0)), $0) }
    case 21:
      .answered(
        name: text(0),
        flag(1)
          ? .placed(order: optional(2), isRepeated: flag(3))
          : .refused(sentence(4), field: field(5), order: optional(2)))
    case 22: .notSent(name: text(0))
    case 23: .connected
    case 24:
      .restore(
        TicketOrder(
          name: text(0), instrument: text(7), side: side(1),
          terms: optional(2).map { .limit(price: $0, validity(6)) }
            ?? .market(protection: optional(5)),
          quantity: text(3), condition: condition(8), trigger: text(9),
          profit: text(10), isReduceOnly: flag(12),
          expiry: flag(11) ? Timestamp(milliseconds: integer(11)) : nil, waits: validity(6)),
        sentAt: Timestamp(milliseconds: integer(4)))
    case 26: .timer
    case 27: .validity(validity(0))
    case 32: .condition(condition(0))
    case 33: .reduceOnly(flag(0))
    case 28: .takeShare(integer(0))
    case 29: decimal(0).map { .takeOffer($0, side(1)) }
    case 30: .again
    case 31:
      decimal(0).map {
        .became(filled: $0, at: texts(from: 1).compactMap { FixedDecimal(plain: $0) })
      }
    default: nil
    }
  }

  /// What an amended order trades at once; nil if it would rest.
  var crossing: Crossing? {
    guard let limit = decimal(1), let quantity = decimal(2), let filled = decimal(3) else {
      return nil
    }
    return Crossing(side(0), limit: limit, quantity: quantity, filled: filled, best: offer(4))
  }

  private var preview: PreviewReply? {
    if !flag(1) { return .refused(sentence(2) ?? "", field: field(3), usual: decimal(4)) }
    return decimal(4).map {
      .figures(
        fill: offer(2), worst: decimal(6), fee: decimal(7), leaves: $0, rests: flag(5),
        risk: PreviewRisk(
          slippage: decimal(8), position: decimal(9), usual: decimal(10),
          loss: decimal(11), latency: decimal(12)))
    }
  }

  private var facts: TicketFacts {
    var facts = TicketFacts()
    facts.isOnline = flag(0)
    facts.orders =
      switch integer(1) {
      case 1: .reading
      case 2: .failed(sentence(2) ?? "")
      case 3: .ready
      case 4: .viewing
      default: .unknown
      }
    facts.isLive = flag(3)
    facts.freshness = text(4)
    facts.reviews = flag(5)
    facts.hasTradingKeys = flag(6)
    facts.protects = flag(16)
    facts.symbol = text(17)
    facts.instrument = text(18)
    guard let lot = decimal(7), let tick = decimal(8) else { return facts }
    let revision = UInt64(bitPattern: integer(9)) &<< 32 ^ UInt64(bitPattern: integer(10))
    var market = TicketMarket(lot: lot, tick: tick, revision: revision)
    market.bid = offer(11)
    market.ask = offer(13)
    market.last = decimal(15)
    facts.market = market
    return facts
  }
}
