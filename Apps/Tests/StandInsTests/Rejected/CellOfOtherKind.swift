// Must not compile: a registration is for cells.

import UIKit

let cellOfOtherKind =
  UICollectionView.CellRegistration<UILabel, Int> { _, _, _ in }  // error: 'UILabel' inherit
