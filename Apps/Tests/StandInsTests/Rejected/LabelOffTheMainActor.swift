// Must not compile: a view changes only on the main actor.

import UIKit

func labelOffTheMainActor(_ label: UILabel) {
  label.text = "a"  // error: main actor-isolated property 'text' can not be mutated
}
