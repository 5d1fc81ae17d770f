// Must not compile: a stack from a storyboard is always made.

import Foundation
import UIKit

final class StackOfSubclass: UIStackView {
  required init?(coder: NSCoder) { nil }  // error: failable initializer 'init(coder:)'
}
