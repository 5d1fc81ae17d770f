// Must not compile: a list's content does not travel between threads.

import UIKit

func needsSendable<Value: Sendable>(_ value: Value) {}

func contentOfOtherTask() {
  needsSendable(UIListContentConfiguration.cell())  // error: 'Sendable' protocol
}
