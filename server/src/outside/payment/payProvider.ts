/**
 * Port to payment providers: what `pay` asks of WeChat Pay and Alipay, and what both answer. Adapters:
 * `wechat/wechat.ts` and `alipay/alipay.ts`. Money is fen and times are ms here; the adapters convert the
 * providers' yuan and Beijing times.
 */
import type { PayScene, PayWay } from '@guildhall/wire/payWay.ts'
import type { Fen, Millis } from '@guildhall/wire/unit.ts'

export { PAY_WAYS, type PayScene, type PayWay } from '@guildhall/wire/payWay.ts'

/** The scene of a payment: `contract` is one that the server makes by a contract, without the buyer. */
export type TradeScene = PayScene | 'contract'

export interface NewPayment {
  readonly scene: PayScene
  /** Our number of the payment, unique for ever: 6 to 32 letters and digits. */
  readonly tradeNo: string
  readonly fee: Fen
  /** What is bought, in the buyer's words; the adapter cuts it to the provider's length. */
  readonly subject: string
  /** After this the provider takes no money for it, ms. */
  readonly expiresAt: Millis
  /** The buyer's address, for the provider's risk control. */
  readonly clientIp: string
  /** Where the buyer's browser goes afterwards. */
  readonly returnUrl: string
  /** WeChat `inside` only: the payer's openid. */
  readonly payer?: string
  /** The buyer signs it while paying; only where `Contracts.scenes` says so. */
  readonly contract?: NewContract
}

/** A contract by which the server charges a person again and again. */
export interface NewContract {
  /** Our number of the contract, unique for ever: up to 32 letters and digits. */
  readonly contractNo: string
  /** Another number of ours, up to 12 digits. */
  readonly serial: string
  /** What a charge takes at most. */
  readonly fee: Fen
  /** For how many days each charge is. */
  readonly days: number
  /** How the person is called on the provider's page. */
  readonly account: string
}

/** What the buyer's device needs to pay. */
export type PayData =
  /** The parameters of WeChat's `getBrandWCPayRequest`. */
  | { readonly kind: 'weixin'; readonly params: Readonly<Record<string, string>> }
  /** The `orderStr` of Alipay's `tradePay`, inside of its app and from a native app. */
  | { readonly kind: 'alipay'; readonly orderStr: string }
  /**
   * An address that the browser goes to. `from`: it has to be at this page of ours then, to which the
   * provider leads back.
   */
  | { readonly kind: 'redirect'; readonly url: string; readonly from?: string }
  /** The content of a QR code. */
  | { readonly kind: 'qr'; readonly code: string }
  /** The parameters of WeChat's SDK in a native app. */
  | { readonly kind: 'weixin_app'; readonly params: Readonly<Record<string, string>> }

/**
 * A payment that the provider says was made. Nothing of it is trusted before `pay` has compared it with the
 * order.
 */
export interface PaidFact {
  readonly tradeNo: string
  /** The provider's number: `transaction_id`, `trade_no`. */
  readonly providerNo: string
  /** The merchant that received it: `mchid`, `seller_id`. */
  readonly merchant: string
  /** The application it was made through: `appid`, `app_id`. */
  readonly app: string
  readonly fee: Fen
  readonly currency: string
  readonly paidAt: Millis
}

/** What a provider says of a payment when it is asked. */
export type PaymentAnswer =
  /** It knows no such payment: the buyer has not begun, or it was never made there. */
  | { readonly state: 'unknown' }
  | { readonly state: 'waiting' }
  | { readonly state: 'closed' }
  /** Paid, also when it was refunded since. */
  | { readonly state: 'paid'; readonly fact: PaidFact }

/** `why` of a refund that is over without money going back: only one with another number may do it. */
export const REFUND_CLOSED = 'CLOSED'

export interface NewRefund {
  readonly tradeNo: string
  readonly providerNo: string
  /** Our number of the refund; asked again with the same number, the provider gives the money back once. */
  readonly refundNo: string
  readonly fee: Fen
  /** What the payment was. */
  readonly total: Fen
  readonly reason: string
}

export type RefundAnswer =
  | { readonly state: 'done'; readonly providerRefundNo: string; readonly fee: Fen; readonly at: Millis }
  /** The provider works on it: ask again later. */
  | { readonly state: 'waiting' }
  /** It knows no such refund. */
  | { readonly state: 'unknown' }
  /** It will not be paid back this way: a person must look. `why` is the provider's own code. */
  | { readonly state: 'refused'; readonly why: string }

/**
 * A message of a provider whose signature, form and freshness are right. `id`: of the message, or of what it
 * says.
 */
export type Notification =
  | { readonly kind: 'paid'; readonly id: string; readonly fact: PaidFact }
  | {
      readonly kind: 'refund'
      readonly id: string
      readonly tradeNo: string
      readonly refundNo: string
      readonly answer: RefundAnswer
    }
  | { readonly kind: 'contract'; readonly id: string; readonly fact: ContractFact }
  /** Genuine, and nothing that changes a payment. */
  | { readonly kind: 'other'; readonly id: string }

/**
 * A contract that the provider says was signed, or ended. Nothing of it is trusted before it was compared
 * with ours.
 */
export interface ContractFact {
  readonly contractNo: string
  readonly providerNo: string
  readonly merchant: string
  readonly app: string
  readonly state: 'signed' | 'ended'
}

/** A charge of a contract. */
export interface NewCharge {
  readonly providerNo: string
  /** The application that the contract was signed through. */
  readonly app: string
  /** Our number of the payment: asked again with the same one, the provider takes the money once. */
  readonly tradeNo: string
  readonly fee: Fen
  readonly subject: string
}

/** `refused`: the provider will not do it now; `why` is its own code. */
export type ContractAnswer = { readonly is: 'taken' } | { readonly is: 'refused'; readonly why: string }

/** `before_paying`: the payment is then charged by the contract. */
export type SignedWhen = 'while_paying' | 'before_paying'

/** Contracts by which the server charges people. */
export interface Contracts {
  /**
   * When a person signs in a scene. Missing: not there.
   */
  readonly scenes: Readonly<Partial<Record<PayScene, SignedWhen>>>
  /** What the person's device needs to sign, where that comes first. @throws PayRefused, PayFailed */
  sign(
    input: NewContract & Pick<NewPayment, 'scene' | 'clientIp' | 'returnUrl'>,
    signal: AbortSignal,
  ): Promise<PayData>
  /** Null: the provider knows no such contract, or nobody has signed it. @throws PayFailed */
  query(contractNo: string, signal: AbortSignal): Promise<ContractFact | null>
  /** Idempotent; also for a contract that the provider does not know. @throws PayFailed */
  end(input: Pick<ContractFact, 'contractNo' | 'providerNo'>, signal: AbortSignal): Promise<void>
  /**
   * Tells the provider of a charge, which tells the person. `chargeAt`: when it will be. @throws PayFailed
   */
  announce(
    input: Pick<NewCharge, 'providerNo' | 'app' | 'fee'> & { readonly chargeAt: Millis },
    signal: AbortSignal,
  ): Promise<ContractAnswer>
  /** Begins a charge; what became of it, `PayProvider.query` says. @throws PayFailed */
  charge(input: NewCharge, signal: AbortSignal): Promise<ContractAnswer>
}

/** One line of a day's bill. */
export interface BillLine {
  readonly kind: 'payment' | 'refund'
  readonly tradeNo: string
  readonly providerNo: string
  /** Of a refund: ours; empty for a payment. */
  readonly refundNo: string
  /** What was paid or given back, never negative. */
  readonly fee: Fen
  /** What the provider keeps of it, negative when it gives it back. */
  readonly charge: Fen
  readonly at: Millis
}

/** What an endpoint answers a provider. */
export interface NotifyReply {
  readonly status: number
  readonly type: 'json' | 'text' | 'xml'
  readonly body: string
}

export interface PayProvider {
  readonly way: PayWay
  readonly merchant: string
  /** The applications through which payments may be made. */
  readonly apps: readonly string[]
  readonly scenes: readonly PayScene[]
  /** Null: the operator has agreed on none with the provider. */
  readonly contracts: Contracts | null
  /** @throws PayRefused, PayFailed */
  start(input: NewPayment, signal: AbortSignal): Promise<PayData>
  /** @throws PayFailed */
  query(tradeNo: string, signal: AbortSignal): Promise<PaymentAnswer>
  /**
   * After it no buyer can pay it any more. Idempotent; also for a payment that the provider does not know.
   * `paid`: it was paid before.
   * @throws PayFailed
   */
  close(tradeNo: string, signal: AbortSignal): Promise<'closed' | 'paid'>
  /** @throws PayFailed */
  refund(input: NewRefund, signal: AbortSignal): Promise<RefundAnswer>
  /** @throws PayFailed */
  queryRefund(
    input: { readonly tradeNo: string; readonly refundNo: string },
    signal: AbortSignal,
  ): Promise<RefundAnswer>
  /**
   * Reads a message that somebody sent to the notify address. `headers` are in lower case, `body` the exact
   * bytes.
   * @throws BadNotification, and PayFailed when the provider cannot be asked now for its keys or for the
   *   fact: send it again `later`
   */
  readNotification(input: {
    readonly headers: Readonly<Record<string, string | string[] | undefined>>
    readonly body: Buffer
  }): Promise<Notification>
  /**
   * What a message is answered with: `taken`, it need not be sent again; `refused`, it is not genuine;
   * `later`, send it again.
   */
  reply(result: 'taken' | 'refused' | 'later', received: { readonly body: Buffer }): NotifyReply
  /**
   * The bill of a day of Beijing, `YYYY-MM-DD`; null when there is none (yet), which also is the answer for a
   * day without trade.
   * @throws PayFailed
   */
  bill(day: string, signal: AbortSignal): Promise<readonly BillLine[] | null>
}

/** Why a message was not taken; the label of a metric. */
export const BAD_NOTIFICATIONS = ['form', 'signature', 'serial', 'stale', 'probe', 'secret'] as const
export type WhyBad = (typeof BAD_NOTIFICATIONS)[number]

/**
 * A message that is not from the provider, or not meant for us. `why` goes to the metric; nothing of it to
 * the sender.
 */
export class BadNotification extends Error {
  override name = 'BadNotification'
  readonly why: WhyBad
  constructor(why: WhyBad, message: string) {
    super(message)
    this.why = why
  }
}

/** The provider refuses for good: asking again gives the same. `code` is its own, without secrets. */
export class PayRefused extends Error {
  override name = 'PayRefused'
  readonly code: string
  constructor(way: PayWay, code: string) {
    super(`${way} refuses: ${code}`)
    this.code = code
  }
}

/**
 * The provider cannot be reached, answers without a genuine signature, or is busy: what happened there is not
 * known.
 */
export class PayFailed extends Error {
  override name = 'PayFailed'
  constructor(way: PayWay, why: string) {
    super(`${way} ${why}`)
  }
}

/** How long a provider may take for one call. */
export const PAY_TIMEOUT_MS = 8_000
