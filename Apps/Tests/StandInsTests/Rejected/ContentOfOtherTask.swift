// Must not compile: a list's content can't be sent to another thread.

import UIKit

func needsSendable<Value: Sendable>(_ value: Value) {}

func contentOfOtherTask() {
  needsSendable(UIListContentConfiguration.cell())  // error: 'Sendable' protocol
}
