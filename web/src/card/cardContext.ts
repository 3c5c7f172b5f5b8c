import type { MessageId } from '@guildhall/wire/id.ts'
import type { Names } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import type { Reader } from '../kmarkdown/KMarkdown.tsx'

/** Context of a message's cards. */
export interface CardContext {
  readonly messageId: MessageId
  readonly names: Names
  readonly reader: Reader
  /** The reader is the author. */
  readonly own: boolean
}
