import MarketModel
import OrderMatching
import WireJSON

/// Coinbase's messages as text.
///
/// Each connection numbers its messages, so a message is encoded once, in two parts around the
/// number.
struct CoinbaseText {
  private let head: [UInt8]
  private let tail: [UInt8]

  /// A message whose events are written by `events`.
  init(_ channel: String, at time: Timestamp, _ events: (inout JSONWriter) -> Void) {
    var writer = JSONWriter(capacity: 512)
    writer.beginObject()
    writer.member("channel", channel)
    writer.member("timestamp", Self.nanoseconds(time))
    writer.key("sequence_num")
    head = writer.bytes
    var rest = JSONWriter(capacity: 4096)
    rest.array("events") { rest in
      events(&rest)
    }
    tail = [UInt8(ascii: ",")] + rest.bytes + [UInt8(ascii: "}")]
  }

  func bytes(number: Int64) -> [UInt8] { head + Array(String(number).utf8) + tail }

  /// Nine digits, of which the last three are the number of the microsecond's message.
  private static func nanoseconds(_ time: Timestamp) -> String {
    let rest = String(max(0, time.nanoseconds % 1_000_000))
    let padding = String(repeating: "0", count: 6 - rest.utf8.count)
    return time.description.dropLast() + padding + rest + "Z"
  }

  static func microseconds(_ time: Timestamp) -> String {
    let rest = String(max(0, time.nanoseconds / 1000 % 1000))
    let padding = String(repeating: "0", count: 3 - rest.utf8.count)
    return time.description.dropLast() + padding + rest + "Z"
  }

  // MARK: Books

  static func book(
    _ type: String, _ product: CoinbaseListedProduct, _ changes: [CoinbaseChange],
    at time: Timestamp
  ) -> CoinbaseText {
    let moment = microseconds(time)
    return CoinbaseText("l2_data", at: time) { writer in
      writer.object { writer in
        writer.member("type", type)
        writer.member("product_id", product.symbol)
        writer.objects("updates", changes) { writer, change in
          writer.member("side", change.isBid ? "bid" : "offer")
          writer.member("event_time", moment)
          writer.member("price_level", decimal: product.price(change.ticks))
          writer.member("new_quantity", decimal: product.quantity(lots: change.lots))
        }
      }
    }
  }

  /// The same book as a public call writes it.
  static func priceBook(
    _ writer: inout JSONWriter, _ product: CoinbaseListedProduct, _ levels: [CoinbaseChange],
    at time: Timestamp
  ) {
    writer.object { writer in
      writer.object("pricebook") { writer in
        writer.member("product_id", product.symbol)
        for (key, isBid) in [("bids" as StaticString, true), ("asks", false)] {
          writer.member(key, array: levels.filter { $0.isBid == isBid }) { writer, level in
            writer.object { writer in
              writer.member("price", decimal: product.price(level.ticks))
              writer.member("size", decimal: product.quantity(lots: level.lots))
            }
          }
        }
        writer.member("time", microseconds(time))
      }
    }
  }

  // MARK: Trades

  /// Trades of one product, oldest first; they are sent newest first, with the maker's side.
  static func trades(
    _ type: String, _ product: CoinbaseListedProduct, _ trades: [TapeTrade], at time: Timestamp
  ) -> CoinbaseText {
    CoinbaseText("market_trades", at: time) { writer in
      writer.object { writer in
        writer.member("type", type)
        writer.member("trades", array: trades.reversed()) { trade(&$0, product, $1) }
      }
    }
  }

  private static func trade(
    _ writer: inout JSONWriter, _ product: CoinbaseListedProduct, _ trade: TapeTrade
  ) {
    writer.object { writer in
      members(&writer, product, trade)
    }
  }

  private static func members(
    _ writer: inout JSONWriter, _ product: CoinbaseListedProduct, _ trade: TapeTrade
  ) {
    writer.member("product_id", product.symbol)
    writer.member("trade_id", String(trade.identifier))
    writer.member("price", decimal: product.price(trade.ticks))
    writer.member("size", decimal: product.quantity(lots: trade.lots))
    let time = Timestamp(nanoseconds: trade.microseconds &* 1000)
    writer.member("time", microseconds(time))
    writer.member("side", trade.isBuy ? "SELL" : "BUY")
  }

  /// A row of the response over HTTP.
  static func pastTrade(
    _ writer: inout JSONWriter, _ product: CoinbaseListedProduct, _ trade: TapeTrade
  ) {
    writer.object { writer in
      members(&writer, product, trade)
      writer.member("bid", "")
      writer.member("ask", "")
      writer.member("exchange", "coinbase")
    }
  }

  // MARK: Figures

  static func ticker(
    _ type: String, _ product: CoinbaseListedProduct, _ top: MarketTop, _ day: DaySummary,
    at time: Timestamp
  ) -> CoinbaseText {
    CoinbaseText("ticker", at: time) { writer in
      writer.object { writer in
        writer.member("type", type)
        writer.objects("tickers", [product]) { writer, product in
          writer.member("type", "ticker")
          writer.member("product_id", product.symbol)
          writer.member("price", decimal: product.price(day.traded.close))
          writer.member("volume_24_h", decimal: product.quantity(lots: day.traded.lots))
          writer.member("low_24_h", decimal: product.price(day.traded.low))
          writer.member("high_24_h", decimal: product.price(day.traded.high))
          writer.member("low_52_w", decimal: product.price(day.traded.low))
          writer.member("high_52_w", decimal: product.price(day.traded.high))
          writer.member("price_percent_chg_24_h", decimal: percent(day))
          writer.member("best_bid", decimal: product.price(top.bid?.price.units ?? 0))
          writer.member("best_ask", decimal: product.price(top.ask?.price.units ?? 0))
          writer.member(
            "best_bid_quantity", decimal: product.quantity(lots: top.bid?.quantity.units ?? 0))
          writer.member(
            "best_ask_quantity", decimal: product.quantity(lots: top.ask?.quantity.units ?? 0))
        }
      }
    }
  }

  /// Percent with fourteen decimals, like the real venue.
  static func percent(_ day: DaySummary) -> FixedDecimal {
    let scale = Scale(clamping: 14)
    let (before, change) = (max(1, day.before), day.change)
    // 10^16 × the change over the price before; a change beyond all bounds is cut.
    let product = change.magnitude.multipliedFullWidth(by: 10_000_000_000_000_000)
    guard product.high < before.magnitude else { return FixedDecimal(units: 0, scale: scale) }
    let quotient = Int64(clamping: before.magnitude.dividingFullWidth(product).quotient)
    return FixedDecimal(units: change < 0 ? -quotient : quotient, scale: scale).trimmed
  }

  // MARK: Control

  /// In Go's notation of a time, with the monotonic clock.
  static func heartbeat(_ counter: Int64, at time: Timestamp) -> CoinbaseText {
    CoinbaseText("heartbeats", at: time) { writer in
      writer.object { writer in
        let moment = nanoseconds(time).dropLast().replacing("T", with: " ")
        writer.member("current_time", "\(moment) +0000 UTC m=+\(66_987 + counter).6")
        writer.member("heartbeat_counter", counter)
      }
    }
  }

  /// A client's subscriptions by channel.
  static func subscriptions(
    _ topics: [CoinbaseTopic], _ products: [CoinbaseListedProduct], at time: Timestamp
  ) -> CoinbaseText {
    CoinbaseText("subscriptions", at: time) { writer in
      writer.object { writer in
        writer.object("subscriptions") { writer in
          for channel in ["heartbeats", "level2", "market_trades", "status", "ticker"] {
            let names = topics.filter { $0.channel == channel }.map { topic in
              topic.product.map { products[$0].symbol } ?? channel
            }
            if names.isEmpty { continue }
            writer.key(text: channel)
            writer.array(names) { $0.string($1) }
          }
        }
      }
    }
  }

  static func status(_ products: [CoinbaseListedProduct], at time: Timestamp) -> CoinbaseText {
    CoinbaseText("status", at: time) { writer in
      writer.object { writer in
        writer.member("type", "snapshot")
        writer.objects("products", products) { writer, product in
          writer.member("product_type", "SPOT")
          writer.member("id", product.symbol)
          writer.member("base_currency", product.base)
          writer.member("quote_currency", product.quote)
          writer.member("base_increment", product.sizeStep)
          writer.member(
            "quote_increment", decimal: FixedDecimal(units: 1, scale: product.priceScale))
          writer.member("display_name", "\(product.base)/\(product.quote)")
          writer.member("status", "online")
          writer.member("status_message", "")
          writer.member("min_market_funds", "1")
        }
      }
    }
  }

  /// Has no number.
  static func error(_ message: String) -> [UInt8] {
    JSONWriter.object { writer in
      writer.member("type", "error")
      writer.member("message", message)
    }
  }

  // MARK: Products over HTTP

  static func product(
    _ writer: inout JSONWriter, _ product: CoinbaseListedProduct, _ day: DaySummary
  ) {
    self.product(&writer, product, day, name: product.symbol, quote: product.quote, alias: "")
    guard product.quote == "USD" else { return }
    self.product(
      &writer, product, day, name: "\(product.base)-USDC", quote: "USDC", alias: product.symbol)
  }

  private static func product(
    _ writer: inout JSONWriter, _ product: CoinbaseListedProduct, _ day: DaySummary,
    name: String, quote: String, alias: String
  ) {
    writer.object { writer in
      writer.member("product_id", name)
      writer.member("price", decimal: product.price(day.traded.close))
      writer.member("price_percentage_change_24h", decimal: percent(day))
      writer.member("volume_24h", decimal: product.quantity(lots: day.traded.lots))
      writer.member("base_increment", product.sizeStep)
      writer.member("quote_increment", decimal: FixedDecimal(units: 1, scale: product.priceScale))
      writer.member("base_min_size", product.sizeStep)
      writer.member("base_name", product.base)
      writer.member("quote_name", quote)
      for name: StaticString in [
        "is_disabled", "cancel_only", "limit_only", "post_only", "trading_disabled", "auction_mode",
      ] {
        writer.member(name, false)
      }
      writer.member("status", "online")
      writer.member("product_type", "SPOT")
      writer.member("quote_currency_id", quote)
      writer.member("base_currency_id", product.base)
      writer.member("alias", alias)
      let names = alias.isEmpty && quote == "USD" ? ["\(product.base)-USDC"] : []
      writer.member("alias_to", array: names) { $0.string($1) }
      writer.member("view_only", false)
      writer.member("price_increment", decimal: FixedDecimal(units: 1, scale: product.priceScale))
      writer.member("display_name", name)
    }
  }
}

/// A level as in a message; no lots remove it.
struct CoinbaseChange: Sendable, Equatable {
  let isBid: Bool
  let ticks: Int64
  let lots: Int64

  /// Bids before asks, each side best first.
  func isBefore(_ other: CoinbaseChange) -> Bool {
    if isBid != other.isBid { return isBid }
    return isBid ? ticks > other.ticks : ticks < other.ticks
  }
}
