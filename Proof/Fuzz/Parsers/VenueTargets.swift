// Every venue's decoder alone, and its session without a hub: its state is checked after each
// message. A message of 1 lets time pass, the longer the more; 2 reconnects.

import MarketModel
import WireJSON

@testable import VenueProtocols

let targets: [String: Target] = [
  "bitmex-decoder": { bytes in
    var decoder = BitMEXDecoder()
    _ = try? decoder.decode(bytes)
  },
  "kraken-decoder": { bytes in
    var decoder = knowingDecoder
    _ = try? decoder.decode(bytes)
  },
  "coinbase-decoder": { bytes in
    var decoder = CoinbaseDecoder(takesEverything: true)
    _ = try? decoder.decode(bytes)
  },
  "okx-decoder": { bytes in
    var decoder = OKXDecoder(takesEverything: true)
    _ = try? decoder.decode(bytes)
  },
  "bybit-decoder": { bytes in
    var decoder = BybitDecoder(takesEverything: true)
    _ = try? decoder.decode(bytes)
  },
  "binance-decoder": { bytes in
    var decoder = BinanceDecoder(takesEverything: true)
    _ = try? decoder.decode(bytes)
  },
  "bitmex-session": { play(bitmex, bitmexStreams, $0) },
  "kraken-session": { play(kraken, krakenStreams, $0) },
  "coinbase-session": { play(coinbase, coinbaseStreams, $0) },
  "okx-session": { play(okx, okxStreams, $0) },
  "bybit-session": { play(bybit, bybitStreams, $0) },
  "bybit-linear-session": { play(bybitLinear, bybitStreams, $0) },
  "binance-session": { play(binance, binanceStreams, $0) },
  "isin-session": { play(isin, quotes("US0378331005"), $0) },
  "bux-session": { play(bux, quotes("sb26493"), $0) },
  "echo-session": { play(echo, quotes("AAPL", "MSFT"), $0) },
  "tick-session": { play(tick, quotes("TROAD"), kind: .stream, $0) },
  "isin-message": { _ = try? IsinStreamMessage(decoding: $0) },
  "bux-message": { _ = try? BuxFeedMessage(decoding: $0) },
  "echo-message": { _ = try? EchoTickerMessage(decoding: $0) },
  "tick-line": tickLine,
  "bux-http": buxHTTP,
  "kraken-history": { readHistory(.kraken, "XBTUSDT", $0) },
  "bitmex-history": { readHistory(.bitmex, "XBTUSD", $0) },
  "coinbase-history": { readHistory(.coinbase, "BTC-USD", $0) },
  "okx-history": { readHistory(.okx, "BTC-USDT", $0) },
  "bybit-history": { readHistory(.bybit, "BTCUSDT", $0) },
  "binance-history": { readHistory(.binance, "BTCUSDT", $0) },
  "coinbase-list": { readList(.coinbase, $0) },
  "okx-list": { readList(.okx, $0) },
  "bybit-list": { readList(.bybit, $0) },
  "bybit-linear-list": { readList(.bybitLinear, $0) },
  "binance-list": { readList(.binance, $0) },
  "kraken-tickers": krakenTickers,
  "book-rows": bookRows,
  "kraken-book": krakenBook,
  "bitmex-book": bitmexBook,
]

func moment(_ milliseconds: Int64) -> ClockReading {
  ClockReading(
    monotonic: MonotonicTime(milliseconds: milliseconds),
    wall: Timestamp(milliseconds: 1_790_000_000_000 + milliseconds))
}

func bytes(_ text: String) -> ContiguousArray<UInt8> { ContiguousArray(text.utf8) }

private func quotes(_ symbols: String...) -> Set<Subscription> {
  Set(symbols.map { Subscription(.quote, symbol($0)) })
}

let bitmexStreams: Set<Subscription> = [
  Subscription(.book, symbol("XBTUSD")), Subscription(.trades, symbol("XBTUSD")),
  Subscription(.quote, symbol("XBTUSD")),
]
let krakenStreams: Set<Subscription> = [
  Subscription(.book, symbol("ETH/BTC")), Subscription(.trades, symbol("ETH/BTC")),
  Subscription(.figures, symbol("ETH/BTC")), Subscription(.book, symbol("BTC/USD")),
]

let coinbaseStreams: Set<Subscription> = [
  Subscription(.book, symbol("BTC-USD")), Subscription(.trades, symbol("BTC-USD")),
  Subscription(.figures, symbol("BTC-USD")), Subscription(.book, symbol("ETH-USD")),
]

let okxStreams: Set<Subscription> = [
  Subscription(.book, symbol("BTC-USDT")), Subscription(.trades, symbol("BTC-USDT")),
  Subscription(.quote, symbol("BTC-USDT")), Subscription(.figures, symbol("BTC-USDT")),
]

let bybitStreams: Set<Subscription> = [
  Subscription(.book, symbol("BTCUSDT")), Subscription(.trades, symbol("BTCUSDT")),
  Subscription(.quote, symbol("BTCUSDT")), Subscription(.figures, symbol("BTCUSDT")),
]

let binanceStreams: Set<Subscription> = [
  Subscription(.book, symbol("BTCUSDT")), Subscription(.trades, symbol("BTCUSDT")),
  Subscription(.quote, symbol("BTCUSDT")), Subscription(.figures, symbol("BTCUSDT")),
]

private let welcome =
  #"{"info":"Welcome to the BitMEX Realtime API.","version":"x","timestamp":"#
  + #""2021-07-22T22:36:07.865Z","docs":"","limit":{"remaining":39}}"#
private let online =
  #"{"channel":"status","type":"update","data":[{"version":"2.0.0","system":"online","#
  + #""api_version":"v2","connection_id":1}]}"#
private let pairs =
  #"{"channel":"instrument","type":"snapshot","data":{"assets":[{"id":"ETH"}],"pairs":["#
  + #"{"symbol":"ETH/BTC","base":"ETH","quote":"BTC","status":"online","qty_precision":8,"#
  + #""price_precision":6,"price_increment":0.000001,"qty_increment":0.00000001},"#
  + #"{"symbol":"BTC/USD","base":"BTC","quote":"USD","status":"online","qty_precision":8,"#
  + #""price_precision":1,"price_increment":0.1}]}}"#

/// A session after its welcome, with its streams subscribed.
private func begun<Session: VenueSession>(
  _ session: Session, _ wanted: Set<Subscription>, _ greetings: String...
) -> Session {
  var session = session
  _ = session.handle(.wanted(wanted), at: moment(1_000_000))
  _ = session.handle(.opened, at: moment(1_000_000))
  for greeting in greetings {
    _ = session.receive(bytes(greeting).span, kind: .text, at: moment(1_000_000))
  }
  return session
}

let bitmex = begun(BitMEXSession(origin: .venue), bitmexStreams, welcome)
let kraken = begun(KrakenSession(origin: .venue), krakenStreams, online, pairs)
private let acknowledged =
  #"{"channel":"subscriptions","timestamp":"2026-08-24T22:34:13.813379359Z","sequence_num":0,"#
  + #""events":[{"subscriptions":{"heartbeats":["heartbeats"]}}]}"#
private let coinbase = begun(CoinbaseSession(origin: .venue), coinbaseStreams, acknowledged)
private let okx = begun(OKXSession(origin: .venue), okxStreams)
private let bybit = begun(BybitSession<BybitSpot>(origin: .venue), bybitStreams)
private let bybitLinear = begun(BybitSession<BybitLinear>(origin: .venue), bybitStreams)
private let binance = begun(BinanceSession(origin: .venue), binanceStreams)
private let isin = begun(IsinStreamSession(origin: .venue), quotes("US0378331005"))
private let bux = begun(BuxSession(origin: .venue), quotes("sb26493"))
private let echo = begun(
  EchoTickerSession(symbols: [symbol("AAPL"), symbol("MSFT")], seed: 1, origin: .venue),
  quotes("AAPL", "MSFT"))
private let tick = begun(
  TickFeedSession(symbol: symbol("TROAD"), origin: .venue), quotes("TROAD"))

/// A decoder with the scales of both pairs.
private let knowingDecoder = {
  var decoder = KrakenDecoder(takesEverything: true)
  for (name, price) in [("ETH/BTC", 6), ("BTC/USD", 1)] as [(String, UInt8)] {
    guard let number = decoder.symbols.number(of: symbol(name)) else { continue }
    decoder.setScales(
      BookScales(price: Scale(clamping: price), quantity: Scale(clamping: 8)), of: number)
  }
  return decoder
}()

/// Plays the messages of an input to a copy of a session.
private func play<Session: VenueSession>(
  _ session: Session, _ wanted: Set<Subscription>, kind: MessageKind = .text, _ bytes: Span<UInt8>
) {
  var session = session
  var now: Int64 = 1_000_007
  forEachMessage(bytes) { message in
    switch message[0] {
    case 1:
      now += Int64(message.count) * Int64(message.count) * 50
      check(session.handle(.timer, at: moment(now)), session, now)
    case 2:
      check(session.handle(.closed, at: moment(now)), session, now)
      check(session.handle(.opened, at: moment(now)), session, now)
    default:
      check(session.receive(message, kind: kind, at: moment(now)), session, now)
      now += 7
    }
  }
  for stream in wanted {
    if let value = session.value(for: stream, at: moment(now + 300)) { check(value) }
  }
}

private func check(_ effects: [SessionEffect], _ session: some VenueSession, _ now: Int64) {
  for effect in effects {
    switch effect {
    case .changed(let stream):
      if let value = session.value(for: stream, at: moment(now)) { check(value) }
    case .rejected(let problem), .reconnect(let problem), .refuse(let problem): check(problem)
    default: break
    }
  }
}

/// One line of the tick feed.
@Sendable private func tickLine(_ bytes: Span<UInt8>) {
  do throws(TickFeedError) {
    let tick = try MarketTick(decoding: bytes)
    guard tick.bid < tick.ask, tick.last.units > 0 else { fail("a tick that can't be") }
  } catch { check(error.problem) }
}

@Sendable private func buxHTTP(_ bytes: Span<UInt8>) {
  _ = BuxErrorResponse(decoding: bytes)
  check(BuxErrorResponse.failure(status: 401, body: bytes))
  do throws(ProductFailure) {
    if try BuxProductResponse.products(from: bytes).contains(where: { $0.currentPrice.units <= 0 })
    {
      fail("no price")
    }
  } catch { check(error) }
  do throws(ProductFailure) {
    if try BuxProductResponse.product(from: bytes).currentPrice.units <= 0 { fail("no price") }
  } catch { check(error) }
}

private func check(_ failure: ProductFailure) {
  if failure.code.isEmpty || failure.userMessage.description.isEmpty { fail("no words") }
}

/// The first byte is the request, the others are the response.
private func readHistory(_ venue: Venue, _ name: String, _ bytes: Span<UInt8>) {
  guard bytes.count > 0, let history = venue.adapter.history else { return }
  let requests: [HistoryRequest] = [
    .candles(.minute), .trades(after: HistoryCursor("1762820250000000000")), .names(.currencies),
    .names(.tokens), .condition, .candles(.hour), .candles(.day), .candles(.fiveMinutes),
    .tradesBefore(nil),
  ]
  let request = requests[Int(bytes[0]) % requests.count]
  let body = bytes.extracting(1...)
  guard case .success(let response) = history.read(request, name, 200, body) else { return }
  guard case .candles(let candles) = response else { return }
  for (former, next) in zip(candles.rows, candles.rows.dropFirst())
  where former.start >= next.start {
    fail("candles out of order")
  }
  for row in candles.rows
  where row.low > row.open || row.open > row.high || row.low > row.close || row.close > row.high {
    fail("a candle that can't be")
  }
}

/// A page of a venue's list of instruments, applied as a whole one.
private func readList(_ list: InstrumentList, _ bytes: Span<UInt8>) {
  var cursor = JSONCursor()
  guard let page = try? list.read(bytes, &cursor) else { return }
  for row in page.rows where row.priceStep?.units ?? 1 <= 0 || row.sizeStep?.units ?? 1 <= 0 {
    fail("a step that can't be")
  }
  var markets = ListedMarkets()
  markets.apply(.page(page, from: ""))
  for (former, next) in zip(markets.instruments, markets.instruments.dropFirst())
  where former.symbol >= next.symbol {
    fail("instruments out of order")
  }
}

private let names: [Symbol: String] = [
  symbol("BTC/USD"): "XXBTZUSD", symbol("ETH/BTC"): "XETHXXBT", symbol("BTC/USDT"): "XBTUSDT",
]

@Sendable private func krakenTickers(_ bytes: Span<UInt8>) {
  guard let tickers = Venue.kraken.adapter.tickers else { return }
  let freshness = Freshness(state: .live, origin: .venue, confirmedAt: nil)
  guard
    case .success(let all) = tickers.read(
      names, 200, bytes, Timestamp(milliseconds: 1_790_000_000_000), freshness)
  else { return }
  for figures in all { check(.figures(figures)) }
}

/// What the page parses from the rows that it draws; the first byte is the digits.
@Sendable private func bookRows(_ bytes: Span<UInt8>) {
  guard bytes.count > 0 else { return }
  var reader = BookRowsReader()
  let (price, size) = (Scale(clamping: bytes[0] & 15), Scale(clamping: bytes[0] >> 4))
  let rows = bytes.extracting(1...)
  let found = reader.findings(in: rows, price: price, size: size)
  // A reader with earlier input finds the same.
  if reader.findings(in: rows, price: price, size: size) != found { fail("found twice, not alike") }
}
