/** Mail with a code, as it is sent. */
import type { CodeMessage } from '../sms/sms.ts'

/** What a mail says: the same twice, for programs that show HTML and for those that do not. */
export interface MailContent {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Writes the mail of a code. */
export type WriteMail = (message: CodeMessage) => MailContent
