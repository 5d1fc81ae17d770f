// Must not compile: a layout with its own initializer also needs `init(coder:)`.

import UIKit

final class LayoutWithoutCoder: UICollectionViewLayout {
  let columns: Int
  init(columns: Int) {
    self.columns = columns
    super.init()
  }
}  // error: 'required' initializer 'init(coder:)' must be provided
