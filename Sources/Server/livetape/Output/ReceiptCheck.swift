import MarketModel
import OrderLedger
import PaperTrading
import VenueCatalogue
import WireJSON

/// Compares the fills of paper orders at a venue with a recording of it.
///
/// A fill cites a trade by its number, or a level of the book and its size. A level is searched in
/// the seconds around the fill: the recording and the server have separate connections.
struct ReceiptCheck {
  enum Result: String {
    case confirmed
    /// The trade with that number has another price or size.
    case contradicted
    /// The recording covers the moment but holds no such trade or level.
    case missing
    /// The recording does not cover the moment.
    case unrecorded = "not recorded"
  }

  fileprivate struct Receipt {
    let order: OrderIdentifier
    let market: Symbol
    let side: Side
    let fill: TimedFill
    let rules: TradingRules
    var result: Result?
  }

  /// How far the level may be from the fill in time, in milliseconds.
  fileprivate static let tolerance: Int64 = 5000

  private var receipts: [Symbol: [Receipt]] = [:]
  private var seen: [Symbol: UInt64] = [:]
  private var times: ClosedRange<Int64>?

  init(of ledger: LedgerReader, at venue: Venue) {
    for order in ledger.history.orders {
      let parts = order.request.symbol.text.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0] == venue.rawValue, let symbol = Symbol(String(parts[1])),
        let rules = ledger.history.listings[order.request.symbol]
      else { continue }
      receipts[symbol, default: []] += (order.life.fills?.fills ?? []).map {
        Receipt(
          order: order.identifier, market: symbol, side: order.request.side, fill: $0, rules: rules)
      }
    }
  }

  /// The markets to report after each message.
  var markets: [Symbol] { Array(receipts.keys) }

  /// Notes the time of a message and what it left of a market.
  mutating func note(_ report: MarketReport?, of market: Symbol, at time: Timestamp) {
    let now = time.milliseconds
    times = times.map { min($0.lowerBound, now)...max($0.upperBound, now) } ?? now...now
    guard let report else { return }
    let trades = report.tape.map { tape in
      tape.trades.filter { $0.arrival > seen[market, default: 0] }
    }
    seen[market] = report.tape?.trades.first?.arrival ?? seen[market]
    for (index, receipt) in (receipts[market] ?? []).enumerated() where receipt.result == nil {
      guard let result = receipt.result(report, trades ?? [], at: now) else { continue }
      receipts[market]?[index].result = result
    }
  }

  /// A line for each fill, by order; the second value tells whether the recording refutes none.
  func lines(asJSON: Bool) -> (lines: [String], isSound: Bool) {
    let all = receipts.values.joined().sorted { $0.order.number < $1.order.number }
    let results = all.map { $0.result ?? ending(of: $0) }
    let lines = zip(all, results).map { asJSON ? $0.json($1) : $0.text($1) }
    return (lines, !results.contains { $0 == .contradicted || $0 == .missing })
  }

  private func ending(of receipt: Receipt) -> Result {
    let moment = receipt.fill.time.milliseconds
    let isCovered = times.map {
      $0.lowerBound <= moment - Self.tolerance && moment + Self.tolerance <= $0.upperBound
    }
    return isCovered == true ? .missing : .unrecorded
  }
}

extension ReceiptCheck.Receipt {
  fileprivate func result(
    _ report: MarketReport, _ trades: [Trade], at now: Int64
  ) -> ReceiptCheck.Result? {
    guard let proof = fill.fill.proof else {
      guard abs(now - fill.time.milliseconds) <= ReceiptCheck.tolerance, let book = report.book
      else { return nil }
      let (rows, paid) = (side == .buy ? book.asks : book.bids, rules.decimal(fill.fill.price))
      // A maker's price is its limit, which a better level may have met.
      let mayBeBetter = fill.fill.fee?.isMaker != false
      let isThere = rows.contains { row in
        let price = FixedDecimal(row.price, scale: book.priceScale)
        return (price == paid || mayBeBetter && (side == .buy ? price < paid : price > paid))
          && rules.lots(FixedDecimal(row.size, scale: book.quantityScale)) == fill.fill.offered
      }
      return isThere ? .confirmed : nil
    }
    guard proof.number != 0, let tape = report.tape,
      let trade = trades.first(where: { $0.identifier == proof.number })
    else { return nil }
    let printed = rules.units(
      of: trade, priceScale: tape.priceScale, quantityScale: tape.quantityScale)
    return printed?.price == proof.price && printed?.quantity == proof.quantity
      ? .confirmed : .contradicted
  }

  private var evidence: String {
    guard let proof = fill.fill.proof else {
      return "level of \(rules.decimal(fill.fill.offered))"
    }
    return "trade \(proof.number)"
  }

  fileprivate func text(_ result: ReceiptCheck.Result) -> String {
    "order \(order) \(market): \(side) \(rules.decimal(fill.fill.quantity)) at "
      + "\(rules.decimal(fill.fill.price)), \(evidence): \(result.rawValue)"
  }

  fileprivate func json(_ result: ReceiptCheck.Result) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("order", order.description)
      writer.member("market", market.text)
      writer.member("side", side.rawValue)
      writer.member("quantity", decimal: rules.decimal(fill.fill.quantity))
      writer.member("price", decimal: rules.decimal(fill.fill.price))
      writer.member("at", fill.time.milliseconds)
      if let proof = fill.fill.proof { writer.member("trade", String(proof.number)) }
      writer.member("result", result.rawValue)
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
