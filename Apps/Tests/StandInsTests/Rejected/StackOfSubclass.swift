// Must not compile: a stack's `init(coder:)` can't fail.

import Foundation
import UIKit

final class StackOfSubclass: UIStackView {
  required init?(coder: NSCoder) { nil }  // error: failable initializer 'init(coder:)'
}
