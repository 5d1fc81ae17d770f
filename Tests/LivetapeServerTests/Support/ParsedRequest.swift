@testable import LivetapeServer

func parse(_ text: String) -> Result<PageRequest, PageRequestError> {
  let bytes = Array(text.utf8)
  return Result { () throws(PageRequestError) in try PageRequest(bytes.span) }
}
