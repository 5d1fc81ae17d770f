// Merge patches as a page applies them (RFC 7396).

public import Foundation

/// The object after a patch.
public func merge(_ patch: NSDictionary, into target: NSDictionary) -> NSDictionary {
  var result = target as? [String: NSObject] ?? [:]
  for (key, value) in patch as? [String: NSObject] ?? [:] {
    if value is NSNull {
      result[key] = nil
    } else if let inner = value as? NSDictionary {
      result[key] = merge(inner, into: result[key] as? NSDictionary ?? [:])
    } else {
      result[key] = value
    }
  }
  return result as NSDictionary
}
