// Must not compile: a cell's default content can't be overridden.

import UIKit

final class ContentOverridden: UICollectionViewListCell {
  override func defaultContentConfiguration()  // error: overriding non-open instance method
    -> UIListContentConfiguration
  { .valueCell() }
}
