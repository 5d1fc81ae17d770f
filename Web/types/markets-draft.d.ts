// Stands in for what TopicTypesTests will write.
declare namespace Topic {
  interface Market {
    id: string;
    kind: string;
    name: string;
    open: boolean;
    symbol: string;
    venue: string;
    quote?: string;
  }
  interface Markets {
    freshness: Freshness;
    rows: Market[];
  }
  interface SurveyedMarket {
    at?: number;
    high?: string;
    low?: string;
    percent?: string;
    price?: string;
    since?: number;
    volume?: string;
    vwap?: string;
  }
  interface Survey {
    rows: { [key: string]: SurveyedMarket };
  }
  interface MarketList { id: string; name: string; members: string[] }
  interface Lists {
    lists: MarketList[];
    problem?: string;
  }
  interface Figures {
    known?: boolean;
  }
  interface ByName {
    markets: Markets;
    survey: Survey;
    lists: Lists;
  }
}
