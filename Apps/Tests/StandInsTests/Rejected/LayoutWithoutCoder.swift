// Must not compile: a layout with an initializer of its own says what a storyboard gets.

import UIKit

final class LayoutWithoutCoder: UICollectionViewLayout {
  let columns: Int
  init(columns: Int) {
    self.columns = columns
    super.init()
  }
}  // error: 'required' initializer 'init(coder:)' must be provided
