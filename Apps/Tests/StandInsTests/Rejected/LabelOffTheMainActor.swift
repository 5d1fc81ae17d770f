// Must not compile: a view is changed on the main actor only.

import UIKit

func labelOffTheMainActor(_ label: UILabel) {
  label.text = "a"  // error: main actor-isolated property 'text' can not be mutated
}
