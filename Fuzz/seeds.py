"""Writes the first inputs of every target: captured messages, separated by zero bytes.

    Fuzz/seeds.py FOLDER
"""

import json
import os
import sys

P = 'Tests/VenueProtocolsTests/Payloads/'
SEEDS = sys.argv[1]

def put(t,name,msgs):
    os.makedirs(f'{SEEDS}/{t}', exist_ok=True)
    open(f'{SEEDS}/{t}/{name}', 'wb').write(b'\0'.join(m.encode() if isinstance(m,str) else m for m in msgs))
# bitmex
L=[l.rstrip('\n').split('\t')[-1] for l in open(P+'bitmex/2021-07-22.XBTUSD.server.tsv')]
short=[l for l in L if len(l)<1500]
put('bitmex','a',short[:6]); put('bitmex','b',short[6:20]); 
for i in range(20,min(len(short),400),20): put('bitmex',f'c{i}',short[i:i+8])
for n in ('examples-2017-2023.jsonl','examples-2024-2025.jsonl'):
    ms=[]
    for l in open(P+'bitmex/'+n):
        l=l.strip()
        try:
            d=json.loads(l)
            ms.append(json.dumps(d.get('json',d),separators=(',',':')) if isinstance(d,dict) else l)
        except Exception: ms.append(l)
    put('bitmex',n,ms)
w='{"info":"Welcome to the BitMEX Realtime API.","version":"x","timestamp":"2021-07-22T22:36:07.865Z","docs":"","limit":{"remaining":39}}'
part='{"table":"orderBookL2","action":"partial","keys":["symbol","id","side"],"types":{},"filter":{"symbol":"XBTUSD"},"data":[{"symbol":"XBTUSD","id":1,"side":"Sell","size":10,"price":101.5},{"symbol":"XBTUSD","id":2,"side":"Buy","size":20,"price":100},{"symbol":"XBTUSD","id":3,"side":"Buy","size":9223372036854775807,"price":99}]}'
put('bitmex','book',[w,part,'{"table":"orderBookL2","action":"update","data":[{"symbol":"XBTUSD","id":2,"side":"Buy","size":5}]}','{"table":"orderBookL2","action":"insert","data":[{"symbol":"XBTUSD","id":4,"side":"Sell","size":5,"price":101}]}','{"table":"orderBookL2","action":"delete","data":[{"symbol":"XBTUSD","id":2,"side":"Buy"}]}',b'\1\1\1',b'\2','{"table":"trade","action":"partial","filter":{"symbol":"XBTUSD"},"data":[]}','{"table":"trade","action":"insert","data":[{"timestamp":"2021-07-22T22:36:07.865Z","symbol":"XBTUSD","side":"Sell","size":100,"price":32180.5,"tickDirection":"ZeroMinusTick","trdMatchID":"x"}]}','{"table":"instrument","action":"partial","data":[{"symbol":"XBTUSD","tickSize":0.5,"lastPrice":1}]}','{"table":"quote","action":"insert","data":[{"timestamp":"2021-07-22T22:36:07.865Z","symbol":"XBTUSD","bidSize":1,"bidPrice":1,"askPrice":2,"askSize":2}]}','pong'])
# kraken
K=[l.strip() for l in open(P+'kraken/captured-2026-08-26.ETH-BTC.jsonl')]
st=K[0]
ins='{"channel":"instrument","type":"snapshot","data":{"assets":[{"id":"ETH"}],"pairs":[{"symbol":"ETH/BTC","base":"ETH","quote":"BTC","status":"online","qty_precision":8,"price_precision":6,"price_increment":0.000001,"qty_increment":0.00000001},{"symbol":"BTC/USD","base":"BTC","quote":"USD","status":"online","qty_precision":8,"price_precision":1,"price_increment":0.1}]}}'
tr='{"channel":"trade","type":"snapshot","data":[{"symbol":"ETH/BTC","side":"sell","price":0.031348,"qty":1.5,"ord_type":"market","trade_id":4665906,"timestamp":"2023-09-25T07:49:37.708706Z"}]}'
tu=tr.replace('snapshot','update').replace('4665906','4665907')
put('kraken','full',[st,ins]+K[1:]+[tr,tu,b'\1\1\1',K[3],b'\2',st,ins,K[3]])
put('kraken','book',[st,ins,K[3],K[4],K[4]])
put('kraken','trade',[st,ins,tr,tu,tu.replace('4665907','9223372036854775807')])
put('kraken','maint',[st,'{"channel":"status","type":"update","data":[{"system":"maintenance"}]}',ins.replace('online','maintenance'),'{"method":"pong","req_id":1,"time_in":"2026-08-26T15:16:16.576099Z"}','{"error":"Currency pair not supported XX/YY","method":"subscribe","success":false,"symbol":"XX/YY"}'])
for n in range(5): put('kraken',f'm{n}',[st,ins]+K[2+n:4+n])
# isin, bux, echo, tick
I=[l.rstrip('\n').split('\t')[-1] for l in open(P+'isin/session-basic.tsv') if '<' in l]+[l.rstrip('\n').split('\t')[-1] for l in open(P+'isin/session-odd-inputs.tsv')]
put('isin','a',I[:8]); put('isin','b',I[8:30]); put('isin','c',['{"isin":"US0378331005","price":1e-400,"bid":0.0034000000000000002,"ask":9223372036854775807}',b'\1\1'])
B=[json.dumps(json.loads(l)['json'],separators=(',',':')) for l in open(P+'bux/errors-and-events.jsonl')]
c='{"t":"connect.connected","body":{"userId":"x"}}'; q='{"t":"trading.quote","id":"a","v":2,"body":{"securityId":"sb26493","currentPrice":"12352.8"}}'
put('bux','a',[c,q,q.replace('"a"','"b"'),b'\1\1\1',b'\2',c,q]); put('bux','b',B)
for i,b in enumerate(B): put('bux',f'e{i}',[b,c])
pr=json.load(open(P+'bux/products.json')); pl=pr if isinstance(pr,list) else list(pr.values())[0]
for i,p in enumerate(pl[:6] if isinstance(pl,list) else []): put('product',f'p{i}',[json.dumps(p.get('json',p) if isinstance(p,dict) else p,separators=(',',':'))])
put('product','err',['{"message":null,"developerMessage":"technical","errorCode":"AUTH_008"}'])
put('echo','a',['{"symbol":"AAPL","price":189.20,"sequence":7,"session":"9f0c21ab55d3e871"}',b'\1\1\1\1\1\1\1','{"symbol":"MSFT","price":189.20,"sequence":18446744073709551615,"session":"9f0c21ab55d3e871"}'])
put('tick','a',['1473345123, 45.05, 45.01, 17, 45.10, 36\n1473345124,45.06,45.02,4294967295,45.11,36\r\n',b'\1\1','18446744073709551615,1e17,0.01,0,922337203685477580,1\n'])
put('page','a',['{"open":["feed","stock/US0378331005"],"close":["products"]}','{"do":"feed.start"}','{"do":"venue.retry","venue":"bitmex"}','{"ping":17}','{"do":"product.retry","id":"sb26493"}'])
put('page','b',['{"do":"order.place","order":{"clientId":"a-1","type":"limit","side":"buy","quantity":"100","price":"45.00"}}','{"do":"order.cancel","id":"17"}','{"do":"order.preview","ask":4,"order":{"type":"market","side":"sell","quantity":"1e3"}}'])
put('page','c',['{"open":["book/XBTUSD","trades/BTC/USD","chart/kraken/BTC/USD","symbol/AAPL","product/sb26493","orders","exchange","books","products","status"]}','{"close":["book/XBTUSD"]}'])
