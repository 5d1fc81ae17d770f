// Invariants of everything that comes out of a venue's session, whatever the input.

import MarketModel
import VenueProtocols

func symbol(_ text: String) -> Symbol {
  guard let symbol = Symbol(text) else { fail("\(text) is no symbol") }
  return symbol
}

/// A live book is never crossed; rows are in order, at most twenty, and not empty.
func check(_ value: MarketValue) {
  switch value {
  case .figures(let figures): check(figures)
  case .book(let book): check(book)
  default: break
  }
}

/// A problem has texts for the log and for the user.
func check(_ problem: VenueProblem) {
  if problem.description.isEmpty || problem.userMessage.description.isEmpty { fail("no words") }
}

/// No price is 0 or less, and no low is above its high.
private func check(_ figures: DayFigures) {
  let prices = [figures.last, figures.high, figures.low, figures.bid, figures.ask, figures.vwap]
  if prices.contains(where: { $0.map { $0.units <= 0 } ?? false }) { fail("no price") }
  if let low = figures.low, let high = figures.high, low > high { fail("a low above a high") }
}

private func check(_ book: BookView) {
  if book.status == .synced, book.freshness.state == .live, let bid = book.bids.first,
    let ask = book.asks.first, bid.price >= ask.price
  {
    fail("a live book is crossed")
  }
  for (rows, rises) in [(book.bids, false), (book.asks, true)] {
    guard rows.count <= BookView.depth else { fail("\(rows.count) rows") }
    for (row, next) in zip(rows, rows.dropFirst())
    where rises ? next.price <= row.price : next.price >= row.price {
      fail("rows out of order")
    }
    for row in rows where row.size.units <= 0 { fail("a size of \(row.size.units)") }
  }
}
