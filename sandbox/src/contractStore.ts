/** The sandbox's contracts, of both ways. Each line of its file is a contract as it is from then on. */
import { clock } from '@guildhall/server/kit/clock.ts'
import { ids } from '@guildhall/server/kit/ids.ts'
import type { PayScene, PayWay } from '@guildhall/wire/payWay.ts'
import type { Fen, Millis } from '@guildhall/wire/unit.ts'
import { JsonLines } from './jsonLines.ts'
import type { Delivery } from './tradeStore.ts'

export interface NewContract {
  readonly way: PayWay
  /** The merchant's number. */
  readonly contractNo: string
  readonly app: string
  readonly merchant: string
  /** How the person is called. */
  readonly account: string
  /** What a charge takes at most; null: what is announced. */
  readonly most: Fen | null
  readonly notifyUrl: string
  readonly returnUrl: string
  /** Where it is signed; null: while paying. */
  readonly scene: PayScene | null
  /** What else its way keeps. */
  readonly more: Readonly<Record<string, string>>
}

export interface Contract extends NewContract {
  /** Of the page's address. */
  readonly token: string
  readonly madeAt: Millis
  readonly state: 'offered' | 'signed' | 'ended'
  /** The provider's number; empty before it is signed. */
  readonly providerNo: string
  readonly signedAt: Millis | null
  /** The charge that was announced last. */
  readonly notice: {
    readonly at: Millis
    readonly fee: Fen
    readonly days: number
    readonly isUsed: boolean
  } | null
  readonly deliveries: readonly ContractDelivery[]
}

/** A message to the server: that it was signed, or ended. */
export interface ContractDelivery extends Delivery {
  readonly says: 'signed' | 'ended'
}

export class ContractStore {
  readonly #lines: JsonLines<Contract>
  readonly #contracts = new Map<string, Contract>()

  constructor(file: string) {
    this.#lines = new JsonLines(file, (contract) => this.#keep(contract))
  }

  close(): void {
    this.#lines.close()
  }

  find(way: PayWay, contractNo: string): Contract | null {
    return this.#contracts.get(`${way} ${contractNo}`) ?? null
  }

  byToken(token: string): Contract | null {
    return this.all().find((it) => it.token === token) ?? null
  }

  byProviderNo(way: PayWay, providerNo: string): Contract | null {
    return (
      this.all().find((it) => it.way === way && it.providerNo !== '' && it.providerNo === providerNo) ?? null
    )
  }

  /** All of them, the oldest first. */
  all(): readonly Contract[] {
    return [...this.#contracts.values()]
  }

  /** Offers a contract; one that nobody has signed may be offered again. Null: the number was used. */
  offer(input: NewContract): Contract | null {
    const before = this.find(input.way, input.contractNo)
    if (before && before.state !== 'offered') return null
    const made = { state: 'offered', providerNo: '', signedAt: null, notice: null, deliveries: [] } as const
    return this.write({ ...input, ...made, token: before?.token ?? ids.token(), madeAt: clock.now() })
  }

  sign(contract: Contract): Contract {
    const providerNo = contract.way === 'wechat' ? ids.digits(18) : `2026${ids.digits(16)}`
    return this.write({ ...contract, state: 'signed', providerNo, signedAt: clock.now() })
  }

  end(contract: Contract): Contract {
    return contract.state === 'ended' ? contract : this.write({ ...contract, state: 'ended' })
  }

  /** Written before it counts. */
  write(contract: Contract): Contract {
    this.#lines.append(contract)
    this.#keep(contract)
    return contract
  }

  #keep(contract: Contract): void {
    this.#contracts.set(`${contract.way} ${contract.contractNo}`, contract)
  }
}
