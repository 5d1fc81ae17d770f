import MarketModel
import WireJSON

/// Fixed responses and errors of the simulated BitMEX's REST API.
enum BitMEXRest {
  /// `{"error":{"message":…,"name":"HTTPError"}}`.
  static func error(
    _ status: Int, _ message: String, headers: [String: String] = [:]
  ) -> VenueResponse {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("error")
    writer.beginObject()
    writer.member("message", message)
    writer.member("name", "HTTPError")
    writer.endObject()
    writer.endObject()
    return .json(writer, status: status, headers: headers)
  }

  /// The currencies, as in `wallet/assets`.
  static let assets: StaticString = """
    [{"asset":"XBT","currency":"XBt","majorCurrency":"XBT","name":"Bitcoin",\
    "currencyType":"Crypto","scale":"8","enabled":true,"isMarginCurrency":true,\
    "minDepositAmount":10000,"minWithdrawalAmount":1000,"maxWithdrawalAmount":100000000000000,\
    "networks":[{"asset":"btc","tokenAddress":"","depositEnabled":true,\
    "withdrawalEnabled":true,"withdrawalFee":"20000","minFee":"20000","maxFee":"10000000"}]},\
    {"asset":"USDT","currency":"USDt","majorCurrency":"USDT","name":"USD Tether",\
    "currencyType":"Crypto","scale":"6","enabled":true,"isMarginCurrency":true,\
    "minDepositAmount":1000000,"minWithdrawalAmount":1000000,\
    "maxWithdrawalAmount":100000000000000,"networks":[{"asset":"eth",\
    "tokenAddress":"0xdac17f958d2ee523a2206206994597c13d831ec7","depositEnabled":true,\
    "withdrawalEnabled":true,"withdrawalFee":"0","minFee":"0","maxFee":"0"}]}]
    """
}

/// The rate limit of REST requests per minute, for all clients together: they can't be told apart.
struct BitMEXRestBudget: Sendable {
  static let limit = 600

  private var minute: Int64 = .min
  private var used = 0

  /// Counts a request; returns the headers to send, and whether the limit is exceeded.
  mutating func use(at now: Timestamp) -> (headers: [String: String], isExceeded: Bool) {
    let thisMinute = now.milliseconds / 60_000
    if thisMinute != minute { (minute, used) = (thisMinute, 0) }
    used = min(used + 1, BitMEXRestBudget.limit + 1)
    let isExceeded = used > BitMEXRestBudget.limit
    let reset = (thisMinute + 1) * 60
    var headers = [
      "x-ratelimit-limit": String(BitMEXRestBudget.limit),
      "x-ratelimit-remaining": String(max(0, BitMEXRestBudget.limit - used)),
      "x-ratelimit-reset": String(reset),
    ]
    if isExceeded { headers["retry-after"] = String(reset - now.milliseconds / 1000) }
    return (headers, isExceeded)
  }
}
