// Must not compile: a label's font may be reset, so a name for it holds an optional.

import Foundation
import UIKit

@MainActor func fontOfLabel(_ label: UILabel) -> CGFloat {
  let font = label.font
  return font.pointSize  // error: value of optional type 'UIFont?' must be unwrapped
}
