/**
 * An event on its way to connections: encoded at most once for each number dialect, and only when a receiver
 * has it.
 */
import type { EventData } from '@guildhall/wire/gateway/frame.ts'
import type { NumberDialect } from '@guildhall/wire/message/kind.ts'
import { SharedFrame } from './sharedFrame.ts'

/** What the frame of an event holds beside `s` and `sn`: `d`, and for bots more. protocol.md §2.3. */
export interface EventBody {
  readonly d: EventData
  readonly moreFields?: object
}

export class EncodedEvent {
  readonly #bodyIn: (dialect: NumberDialect) => EventBody
  #forPeople: SharedFrame | null = null
  #forBots: SharedFrame | null = null

  /** `bodyIn` may throw for a dialect; receivers of the other one still get the event. */
  constructor(bodyIn: (dialect: NumberDialect) => EventBody) {
    this.#bodyIn = bodyIn
  }

  /** The event as data. */
  body(dialect: NumberDialect): EventBody {
    return this.#bodyIn(dialect)
  }

  /** The event as a frame that all receivers of a dialect share. */
  frame(dialect: NumberDialect): SharedFrame {
    if (dialect === 'public') {
      this.#forBots ??= frameOf(this.#bodyIn('public'))
      return this.#forBots
    }
    this.#forPeople ??= frameOf(this.#bodyIn('specification'))
    return this.#forPeople
  }
}

const frameOf = ({ d, moreFields }: EventBody) => new SharedFrame(d, moreFields)
