public import Foundation

/// The object after a merge patch (RFC 7396), as a page applies it.
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
