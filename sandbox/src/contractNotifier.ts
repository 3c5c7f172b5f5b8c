/** Tells the server of contracts that were signed or ended, as the providers do. */
import { clock } from '@guildhall/server/kit/clock.ts'
import { ids } from '@guildhall/server/kit/ids.ts'
import type { PayWay } from '@guildhall/server/outside/payment/payProvider.ts'
import type { Evil } from './book.ts'
import type { Contract, ContractBook, ContractMessage } from './contracts.ts'
import type { ContractTold, Dialogue } from './dialogue.ts'
import { post, type Sent } from './notifier.ts'

const LOOKS_EVERY_MS = 200

export interface ContractNotifier {
  /** A message that is to be sent. `isLost`: it never is; `lateMs`: by a timer. */
  note(
    contract: Contract,
    it: {
      readonly says: ContractMessage['says']
      readonly evil: Evil
      readonly isLost?: boolean
      readonly lateMs?: number
    },
  ): ContractMessage
  /** Sends a message now, so many times. */
  tell(contract: Contract, message: ContractMessage, times?: number): Promise<readonly Sent[]>
  close(): Promise<void>
}

/** Tells the server of contracts, and again while it does not take it. */
export function openContractNotifier(
  book: ContractBook,
  dialogueOf: (way: PayWay) => Dialogue,
  { waitFactor }: { readonly waitFactor: number },
): ContractNotifier {
  const underway = new Map<string, Promise<readonly Sent[]>>()
  const closing = new AbortController()

  const put = (key: Contract, message: ContractMessage): void => {
    const now = book.find(key.way, key.contractNo) ?? key
    const rest = now.messages.filter(({ id }) => id !== message.id)
    book.write({ ...now, messages: [...rest, message] })
  }

  async function tellNow(key: Contract, { id }: ContractMessage, times: number): Promise<readonly Sent[]> {
    const contract = book.find(key.way, key.contractNo)
    const it = contract?.messages.find((each) => each.id === id)
    if (!contract || !it) return []
    const dialogue = dialogueOf(contract.way)
    const told: ContractTold = { id, contract, says: it.says, evil: it.evil }
    const sent: Sent[] = []
    for (let n = 0; n < times; n += 1) {
      const message = await dialogue.contractMessageOf(told)
      const answered = await post(contract.notifyUrl, message, closing.signal)
      sent.push({ message: { ...message, at: clock.now() }, answered })
    }
    if (closing.signal.aborted) return sent
    const isTaken = sent.some(({ answered, message }) =>
      dialogue.wasTaken(answered.status, answered.body, message),
    )
    const wait = dialogue.waits[it.sent]
    const isOver = isTaken || wait === undefined || it.evil.forge !== undefined || it.evil.probe === true
    put(contract, {
      ...it,
      sent: it.sent + sent.length,
      nextAt: isOver ? null : clock.now() + wait * waitFactor,
    })
    return sent
  }

  const tell: ContractNotifier['tell'] = (contract, message, times = 1) => {
    const work = (underway.get(message.id) ?? Promise.resolve([]))
      .then(() => tellNow(contract, message, times))
      .finally(() => {
        if (underway.get(message.id) === work) underway.delete(message.id)
      })
    underway.set(message.id, work)
    return work
  }

  const look = () => {
    for (const contract of book.all())
      for (const it of contract.messages)
        if (it.nextAt !== null && it.nextAt <= clock.now() && !underway.has(it.id))
          tell(contract, it).catch(console.error)
  }
  const timer = setInterval(look, LOOKS_EVERY_MS)
  return {
    note(contract, { says, evil, isLost = false, lateMs = 0 }) {
      const nextAt = isLost ? null : clock.now() + lateMs * waitFactor
      const made: ContractMessage = { id: ids.uuid(), says, evil, sent: 0, nextAt }
      put(contract, made)
      return made
    },
    tell,
    async close() {
      clearInterval(timer)
      closing.abort()
      await Promise.allSettled(underway.values())
    },
  }
}
