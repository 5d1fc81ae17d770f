// Must not compile: a label's font can be set to nil, so a variable of it is an optional.

import Foundation
import UIKit

@MainActor func fontOfLabel(_ label: UILabel) -> CGFloat {
  let font = label.font
  return font.pointSize  // error: value of optional type 'UIFont?' must be unwrapped
}
