import AppState
import ChartModel
import Foundation
import MarketModel
import PhoneStores

/// A draw list ready to paint: everything the painter needs, with prices and times as text.
struct ChartPicture: Sendable {
  struct Label: Sendable {
    let at: CGFloat
    let text: String
  }

  /// Height of the time axis at the default text size.
  private static let timeAxisHeight = 22.0

  let list: DrawList
  let size: CGSize
  /// The candles' area.
  let plot: CGSize
  /// How much larger than usual axis labels are.
  let wordScale: CGFloat
  let style: ChartStyle
  let isDimmed: Bool
  let prices: [Label]
  let times: [Label]
  let live: Label?
  /// The crosshair's place, with the price and time there.
  let crosshair: (place: CGPoint, price: String, time: String)?

  @MainActor init(_ store: ChartStore, size: CGSize, words: ChartWords, wordScale: CGFloat) {
    let width = ChartPicture.priceAxisWidth(store, words) * wordScale
    let plot = CGSize(
      width: max(1, size.width - width),
      height: max(1, size.height - ChartPicture.timeAxisHeight * wordScale))
    self.wordScale = wordScale
    let list = store.draw(width: plot.width, height: plot.height, zone: words.zone)
    (self.list, self.size, self.plot) = (list, size, plot)
    style = store.style
    isDimmed = !store.state.freshness.state.showsMovement
    prices = list.prices.map { Label(at: CGFloat($0.y), text: words.price($0.price)) }
    times = list.times.map {
      Label(at: CGFloat($0.x), text: words.grid($0.time, step: list.timeStep))
    }
    live = list.live.map { Label(at: CGFloat($0.y), text: words.price($0.price)) }
    crosshair = store.crosshair.map { hit in
      let y: CGFloat =
        if case .point(let place)? = store.pointer {
          place.y
        } else {
          CGFloat(store.scene.axis?.y(of: hit.price) ?? 0)
        }
      let time = words.grid(hit.candle?.start ?? hit.time, step: store.scene.drawn.milliseconds)
      let isPoint = if case .point? = store.pointer { true } else { false }
      let price = isPoint ? words.pointed(hit.price) : words.price(hit.price)
      return (CGPoint(x: CGFloat(hit.x), y: y), price, time)
    }
  }

  /// Wide enough for the latest price.
  @MainActor private static func priceAxisWidth(
    _ store: ChartStore, _ words: ChartWords
  ) -> Double {
    let text = store.scene.series.latestPrice.map(words.price) ?? ""
    return max(48, Double(text.count) * 7 + 14)
  }
}
