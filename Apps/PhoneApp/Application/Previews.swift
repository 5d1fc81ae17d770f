// A preview of each screen in Xcode; Linux has no macro for them.

#if DEBUG && canImport(DeveloperToolsSupport)
  import SwiftUI

  #Preview("Price tracker") { PreviewScreen("stocks://feed") }
  #Preview("Stock") { PreviewScreen("stocks://symbol/AAPL") }
  #Preview("Products") { PreviewScreen("stocks://products") }
  #Preview("Product") { PreviewScreen("stocks://product/sb26493") }
  #Preview("All markets") { PreviewScreen("stocks://markets") }
  #Preview("Asset") { PreviewScreen("stocks://asset/BTC/USDT") }
  #Preview("Chart") { PreviewScreen("stocks://chart/BTC/USD") }
  #Preview("Order book") { PreviewScreen("stocks://book/XBTUSD") }
  #Preview("Recent trades") { PreviewScreen("stocks://trades/XBTUSD") }
  #Preview("Exchange") { PreviewScreen("stocks://exchange") }
  #Preview("Orders") { PreviewScreen("stocks://orders") }
  #Preview("Settings") { PreviewScreen(tab: .settings) }
  #Preview("Choice of markets") { PreviewScreen() }
#endif
