// Replies and notices, written from the server's encoders by ReplyTypesTests. To
// regenerate it: UPDATE_TOPIC_TYPES=1 swift test --filter ReplyTypesTests. Only for the
// type check: nothing of this folder is served.

declare namespace Wire {
  type Amended =
    | {
        clientId: string;
        id: string;
        ok: true;
        repeated: boolean;
        to: "order.amend";
      }
    | {
        clientId: string;
        field?: "price" | "quantity";
        id: string;
        message: Sentence;
        ok: false;
        to: "order.amend";
      };

  type Cancelled =
    | {
        id: string;
        ok: true;
        to: "order.cancel";
      }
    | {
        field?: "price" | "quantity";
        id: string;
        message: Sentence;
        ok: false;
        to: "order.cancel";
      };

  type CancelledAll =
    | {
        count: number;
        id: string;
        ok: true;
        to: "orders.cancelAll";
      }
    | {
        field?: "price" | "quantity";
        id: string;
        message: Sentence;
        ok: false;
        to: "orders.cancelAll";
      };

  type Notice =
    | {
        at: number;
        order: string;
        text: Sentence;
        warning: boolean;
      };

  type Placed =
    | {
        clientId: string;
        id: string;
        ok: true;
        repeated: boolean;
        to: "order.place";
      }
    | {
        clientId: string;
        field?: "price" | "quantity";
        id?: string;
        message: Sentence;
        ok: false;
        to: "order.place";
      };

  type Previewed =
    | {
        ask: number;
        fee?: string;
        fill?: Topic.Amount;
        latency?: string;
        leavesQuantity: string;
        loss?: string;
        ok: true;
        position?: string;
        remainderRests: boolean;
        slippage?: number;
        tick: number;
        to: "order.preview";
        usual?: string;
        worst?: string;
      }
    | {
        ask: number;
        field?: "price" | "quantity";
        message: Sentence;
        ok: false;
        to: "order.preview";
        usual?: string;
      };

  type Reply = Amended | Cancelled | CancelledAll | Placed | Previewed;
}
