// Must not compile: what a cell shows at first is no method to override.

import UIKit

final class ContentOverridden: UICollectionViewListCell {
  override func defaultContentConfiguration()  // error: overriding non-open instance method
    -> UIListContentConfiguration
  { .valueCell() }
}
