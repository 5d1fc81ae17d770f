import MarketModel

/// A coin, currency or tokenised share of the simulated Kraken, with its start price.
struct KrakenAsset: Sendable {
  /// The stream's name: "BTC".
  let name: String
  /// The start price in 10^-12 dollars.
  let price: Int64
  /// The value that its price follows; nil for the dollar.
  let underlying: Underlying?
  /// The number of more active assets; 0 is the most active.
  let rank: Int

  static let dollar = KrakenAsset(name: "USD", price: 1_000_000_000_000, underlying: nil, rank: 20)

  /// Fiat currencies, the dollar first.
  static let currencies: [KrakenAsset] =
    [
      dollar,
      KrakenAsset(
        name: "EUR", price: Underlying.euroRate * 10_000_000, underlying: .euro, rank: 8),
    ]
    + [("GBP", 1_264_300), ("CHF", 1_131_200), ("AUD", 651_800), ("CAD", 718_300), ("JPY", 6_542)]
    .map { name, millionths in
      KrakenAsset(
        name: name, price: millionths * 1_000_000,
        underlying: Underlying(name: name + "/USD", volatility: 15_000), rank: 20)
    }

  /// Coins, the most active first.
  static let coins: [KrakenAsset] = {
    var coins: [KrakenAsset] = []
    for entry in entries(KrakenCoins.table) {
      coins.append(coin(entry.name, entry.text, rank: coins.count, among: coins))
    }
    return coins
  }()

  static let shares: [KrakenAsset] = entries(KrakenShares.table).enumerated().map { rank, entry in
    KrakenAsset(
      name: entry.name, price: picodollars(entry.text),
      underlying: .stock(KrakenShares.isins[entry.name] ?? "share " + entry.name), rank: rank + 40)
  }

  /// "0.6512" is a price in dollars with its own movement; "BTC*1" is worth a bitcoin.
  private static func coin(
    _ name: String, _ text: Substring, rank: Int, among known: [KrakenAsset]
  ) -> KrakenAsset {
    let deep = KrakenPair.deep.first { $0.base == name && $0.quote == "USD" }
    let parts = text.split(separator: "*")
    let chance = SeedText.seed(0, "coin " + name)
    guard parts.count == 2 else {
      let price = picodollars(text)
      // Real prices are not round.
      let odd = deep == nil ? price / 100_000 * Int64(chance % 400) : 0
      let volatility = 60_000 + Int64(chance >> 32 % 6) * 10_000
      return KrakenAsset(
        name: name, price: price + odd,
        underlying: deep?.listing.underlying ?? Underlying(name: name, volatility: volatility),
        rank: rank)
    }
    let factor = picodollars(parts[1])
    switch parts[0] {
    case "dollar":
      return KrakenAsset(
        name: name, price: factor, underlying: Underlying(name: name, volatility: 300), rank: rank)
    case "gold":
      return KrakenAsset(
        name: name, price: factor, underlying: Underlying(name: "gold", volatility: 12_000),
        rank: rank)
    default:
      let other = known.first { $0.name == parts[0] } ?? dollar
      let price = other.price / 1_000_000 * (factor / 1_000_000)
      return KrakenAsset(name: name, price: price, underlying: other.underlying, rank: rank)
    }
  }

  private static func entries(_ table: String) -> [(name: String, text: Substring)] {
    table.split(separator: ",").map { entry in
      let words = entry.split { $0 == " " || $0 == "\n" }
      return (String(words[0]), words[1])
    }
  }

  /// Dollars with a point in 10^-12 dollars; 0 for invalid text.
  private static func picodollars(_ text: Substring) -> Int64 {
    let spelled = text.hasPrefix(".") ? "0" + text : String(text)
    return FixedDecimal(spelled)?.exactly(at: Scale(clamping: 12))?.units ?? 0
  }
}

enum KrakenShares {
  /// "TICKER DOLLARS".
  static let table = """
    AAPLx 189.2, TSLAx 341.2, NVDAx 176.41, SPYx 641.3, QQQx 571.4, MSTRx 351.7, COINx 312.4,
    HOODx 108.2, CRCLx 142.6, GOOGLx 203.1, METAx 751.2, AMZNx 224.3, MSFTx 512.7, NFLXx 1214.5,
    PLTRx 171.3, GMEx 23.12, AVGOx 301.4, AMBRx 11.82, DFDVx 14.73, TQQQx 91.24, GLDx 312.6,
    INTCx 24.31, ORCLx 243.1, CRMx 241.8, JPMx 291.3, BACx 47.62, GSx 731.4, Vx 338.2, MAx 578.3,
    BRK.Bx 481.2, WMTx 101.3, KOx 70.41, PEPx 148.2, MCDx 291.4, HDx 401.2, PGx 157.3, JNJx 174.2,
    PFEx 24.81, LLYx 701.6, MRKx 84.12, ABBVx 208.4, ABTx 131.2, UNHx 302.7, TMOx 478.1,
    DHRx 204.3, AZNx 78.91, NVOx 53.12, MDTx 91.83, XOMx 108.4, CVXx 156.2, LINx 471.3,
    HONx 218.4, IBMx 241.7, CSCOx 68.23, ACNx 251.2, APPx 441.3, CRWDx 421.6, PANWx 178.3,
    MRVLx 74.12, PMx 168.4, CMCSAx 33.61, VTIx 316.2, TBLLx 105.6, OPENx 3.412, SLVx 38.41
    """

  /// Shares that other venues also show, by ticker: their tokens follow the same value.
  static let isins = ["AAPLx": SharedStock.apple, "MCDx": "US5801351017"]
}

/// Coins with the real venue's tickers and approximate prices, the most active first.
enum KrakenCoins {
  /// "TICKER DOLLARS", or "TICKER THING*FACTOR" for a coin that follows another value.
  static let table = """
    BTC 64213.7, ETH 1846.55, SOL 142.18, XRP 2.2843, USDT dollar*1.0002, USDC dollar*.9999,
    DOGE .167324, ADA .6512, LTC 84.21, LINK 14.12, AVAX 19.84, DOT 4.013, TRX .2714, BCH 412.6,
    XLM .2631, SHIB .00012407, SUI 2.914, PEPE .000008914, HBAR .1742, AAVE 172.3, UNI 6.214,
    TON 2.987, NEAR 2.341, XMR 241.7, ETC 16.92, ATOM 4.412, ALGO .1913, FIL 2.731, ICP 5.043,
    TAO 341.2, RENDER 3.914, ONDO .8213, FET .6814, KAS .0912, APT 4.862, ARB .3214, OP .6914,
    INJ 9.412, SEI .1932, TIA 2.614, WIF .6312, BONK .00001742, FARTCOIN 1.013, TRUMP 11.84,
    ENA .3312, JUP .4312, PENGU .01142, CRV .6813, LDO .8012, MKR 1512, GRT .0914, STX .7012,
    IMX .5312, FLOKI .00007612, SAND .2712, MANA .2914, AXS 2.413, GALA .01542, CHZ .03812,
    APE .4912, XTZ .5612, EOS .6912, FLR .01612, QNT 87.12, ZEC 38.41, DASH 21.73, KSM 14.92,
    COMP 42.31, SNX .7213, YFI 5213, SUSHI .6112, ENJ .0812, BAT .1342, ZRX .2412, MINA .2013,
    FLOW .3812, EGLD 15.61, THETA .7012, VET .02412, WLD .8412, PYTH .1412, JTO 1.812, STRK .1412,
    DYDX .6213, PENDLE 3.412, KAVA .4312, RUNE 1.213, CAKE 2.114, ENS 17.21, RPL 5.312, GMX 14.31,
    1INCH .1913, LRC .0912, ANKR .01612, BLUR .1013, CVX 2.714, FXS 2.412, POL .2214, S .5214,
    BERA 3.913, HYPE 21.42, VIRTUAL 1.312, AI16Z .2312, POPCAT .4112, MOG .000000712, SPX .6812,
    BRETT .05412, TURBO .004212, GIGA .02312, PNUT .1713, GOAT .1213, MOODENG .1512, GRASS 1.713,
    EIGEN .9312, ETHFI .6812, W .0812, ZRO 2.612, IO .8213, ZK .0613, SAFE .4612, AERO .5612,
    MORPHO 1.213, DRIFT .5812, ME .9212, MOVE .2613, LAYER 1.912, KAITO 1.313, IP 4.213,
    INIT .7112, WCT .4312, SIGN .07812, HUMA .03812, SOPH .04512, RESOLV .2213, LA .8412,
    NEWT .3812, SAHARA .08213, H .04812, PUMP .004812, ES .2113, PROVE .9412, WLFI .2112,
    LINEA .02413, SKY .06612, AVNT .9213, XPL .9812, ASTER 1.612, STBL .2812, FF .1613, EUL 9.812,
    KTA .7213, ZORA .06812, B3 .003212, CFG .2713, USELESS .2412, TROLL .05812, MOCA .07412,
    ATH .04312, SKL .02412, CELO .3312, STORJ .2712, OCEAN .2812, NMR 9.213, BAND .6713,
    OXT .05413, KNC .3412, KEEP .1012, REN .01213, BAL .9213, UMA 1.214, MLN 8.913, REP 1.012,
    GNO 124.3, LPT 5.812, ICX .1413, OMG .2312, SC .003612, QTUM 2.213, LSK .5612, WAVES 1.313,
    XNO .9212, DCR 13.21, ROSE .02913, KILT .02213, MOVR 6.213, GLMR .07812, ASTR .02813,
    PHA .1214, SDN .06413, CFX .08213, AR 6.214, RAY 2.512, ORCA 2.713, SRM .01612, SAMO .002213,
    STEP .02913, MNGO .01814, FIDA .07912, ATLAS .000812, POLIS .08312, COPE .003112, OXY .008113,
    SLND .3112, HNT 3.412, MOBILE .0003512, BICO .1013, BIT .6112, BNT .4312, BOND 1.312,
    BOBA .09812, BTT .0000006612, BSX .00009213, C98 .05612, CHR .08914, CQT .003213, CSM .004812,
    CTSI .06313, DENT .0007213, DYM .3112, DIA .4213, ENQ .01413, ERN 1.412, EWT .9814, FARM 28.31,
    FIS .1812, FORTH 2.613, FTM .6912, FUN .004213, GARI .006312, GAL 1.912, GHST .6112, GLM .2513,
    GMT .05213, GST .006112, GTC .3112, HDX .009213, HFT .06412, HOOK .1412, IDEX .02713,
    INTR .002812, JASMY .01613, JUNO .1213, KAR .03412, KEY .003112, KIN .00000712, KINT .1613,
    KP3R 21.32, LCX .1413, LMWR .1212, LQTY .9213, LUNA .0000612, LUNA2 .1812, MASK 2.113,
    MC .4112, MDT .03213, METIS 17.31, MNT .6812, MV .01213, MXC .003412, MEW .002313,
    MEME .002412, NODL .0006113, NOS .6413, NTRN .1013, NYM .05412, OGN .06113, ORDI 7.912,
    OSMO .2213, OGV .001912, OMNI 2.413, PARA .001813, PERP .3013, PLA .1912, PORTAL .06413,
    POWR .1813, PSTAKE .03412, PYUSD 1.0003, PRIME 2.512, PRCL .07113, QI .008412, RAD .7113,
    RARE .06412, RARI 1.312, RBC .01912, REQ .1513, RLC 1.212, ROOK .6112, SBR .0008213,
    SCRT .2113, SGB .005812, SPELL .0005912, STG .1914, STRD .1613, SUN .01813, SUPER .6212,
    SYN .1913, SYRUP .3612, TEER .07213, TLM .004812, TNSR .1513, TOKE .2213, TRIBE .6112,
    TRAC .4114, TRU .03412, TVK .05213, TUSD .9991, TREMP .01813, UNFI .3112, VANRY .03112,
    WOO .07413, WBTC BTC*1, TBTC BTC*1, WAXL .3812, WEN .00004112, WELL .02013, WAX .02112,
    XCN .01713, XRT 3.113, XTER .1512, YGG .1812, ZETA .2313, ZEX .03112, ZEREBRO .04813,
    ZEUS .3012, ZBCN .001413, MSOL SOL*1.287, JITOSOL SOL*1.204, LSETH ETH*1.072, CBETH ETH*1.093,
    METH ETH*1.066, EETH ETH*1.0, PAXG gold*4071, XAUT gold*4068, DAI dollar*1.0001,
    USDS dollar*1.0, USDD dollar*.9992, USDG dollar*1.0001, RLUSD dollar*1.0002, FRAX dollar*.9986,
    GUSD dollar*.9994, USDR dollar*1.0001, USDQ dollar*1.0, 2Z .3812, A .3912, AB .009112,
    ACH .02213, ACT .04812, ACX .2113, ADX .09813, AGLD .8112, AIR .01213, AIXBT .1512,
    AKE .001812, AKT 1.213, ALCH .1312, ALCX 9.812, ALICE .4213, ALPHA .02812, ALT .03113,
    ANVL .001412, APENFT .0000004312, APU .0001813, ARC .1112, ARIA .08212, ARKM .5213,
    ARPA .02212, ASP .1013, ASRR .1412, ATS .4112, AUCTION 11.21, AUDIO .06413, AUSD dollar*1.0,
    BAN .05213, BANANAS31 .008112, BEAM .007112, BIGTIME .06213, BIO .07812, BLZ .04213,
    BLESS .02112, BMB .03812, BODEN .001813, CAMP .1013, CCD .004812, CETUS .1013,
    CHILLHOUSE .007213, COOKIE .2013, COTI .06812, COW .3812, CPOOL .1413, CRO .0913, CTC .6512,
    CULT .000002, CVC .1013, DBR .02512, DEGEN .003812, DOG .003112, DOOD .004213, DRV .04812,
    ELIZAOS .01212, ELX .2113, EPT .006112, ESE .01413, ESX .00813, EVAA 2.413, FAI .01713,
    FLUID 5.213, FLY .05413, FORT .06813, FREEDOG .000012, FWOG .02412, GAIA .06112, GAME2 .004813,
    GENOME .02412, GHIBLI .003112, GOMINING .4612, GWEI .1812, HAEDAL .1213, HOME .02812,
    HONEY .01912, HOT .0009213, HPOS10I .05812, IGU .01513, ILV 12.41, INF SOL*1.33, INSP .006813,
    JOE .1613, JST .03213, KAIA .1512, KERNEL .1813, KET .3112, KGEN .3413, KOBAN .00212,
    KUB 1.312, LCAP 11.41, LITKEY .04112, LMTS .2113, LOBO .0001812, LOOKS .01413, LUMIA .2513,
    M .5812, MAGIC .1713, MAGA .1112, MANEKI .001813, MANTA .2112, MAT .3012, MBOX .05412,
    MEC .02813, MELANIA .2912, MEMEFI .001413, MEZO .08112, MICHI .03813, MIRA .3012, MIR .01213,
    MLK .1412, MNSRY .0213, MOON .06812, MORE .0113, MOTHER .01412, MSQ .02813, MUBARAK .03612,
    NAKA .3112, NAVX .05213, NC .04112, NEIRO .0003812, NIGHT .05612, NMT .1813, NOICE .0004112,
    NOT .001913, NPC .01512, NXPC .7413, OBOL .1112, ODOS .004112, OM .2412, OMI .0002713,
    OPEN .4812, OPENX .1213, ORBS .01812, ORDER .1413, PAL .01113, PARTI .1912, PIN .003412,
    PIPPIN .02313, PLUME .1013, POND .007813, PORTO .9513, POWER .1212, PROMPT .2113, PUFFER .2012,
    PUPS 4.113, PZETH ETH*1.061, QKC .006812, RAVE .3812, RAIL 1.413, REACT .06412, RECALL .3013,
    REI .02213, REX .01513, RLS .0512, RSR .006813, SAGA .2512, SAROS .2813, SCA .06812, SD .6213,
    SDEX .0118, SENT .0712, SFI .0413, SIDUS .0004713, SKI .03113, SLAY .02113, SLERF .07112,
    SLC .1313, SN3 12.11, SOIL .5612, SOMI .5713, SOON .3112, SPACE .0213, SSV 6.213, STAR .0512,
    STEAK .0311, STREAM .04113, SXT .06812, SYS .03612, T .01513, TAIKO .4213, TANSSI .03112,
    TITCOIN .02112, TOSHI .0006112, TREE .2812, TREAT .000813, TRIA .0212, TRWA .003113,
    TUT .06213, TX .0713, UFD .02813, UP .0613, USUAL .06113, UXLINK .2912, VANA 3.413,
    VELO .01412, VELODROME .04813, VELVET .2112, VFY .08113, VINE .03213, PONKE .1112,
    VVV 2.113, WAL .3912, WET .2413, WIN .00005613, WMTX .1812, X .00004113, XCAD .02112,
    XION .6013, XO .00213, XYO .009112, YB .4813, YZY .4213, ZEN 8.413, ZENT .006112, ZIG .08413,
    ZKC .1912, ZKP .1312
    """
}
