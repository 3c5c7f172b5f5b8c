/** What the operator writes to people: a private message of the official account, which nobody answers. */
import type { MessageId, UserId } from '@guildhall/wire/id.ts'
import { relationsTo } from '../friend/friend.ts'
import { clock } from '../kit/clock.ts'
import type { Tx } from '../kit/database/db.ts'
import type { AppContext, Emit } from '../kit/events/events.ts'
import { ids } from '../kit/ids.ts'
import { findUser, officialAccount } from '../user/user.ts'
import { noMentions } from './mentions.ts'
import { privateSent } from './send.ts'
import * as rows from './sql.ts'
import { privateAuthorOf } from './wireForm.ts'

/**
 * Writes a plain text to a person, in the transaction of what it tells of. Who blocks the official account,
 * or is deleted, gets nothing.
 */
export async function notifyFromOfficialAccount(
  appContext: Pick<AppContext, 'presence' | 'publicUrl'>,
  tx: Tx,
  emit: Emit,
  input: { readonly to: UserId; readonly text: string },
): Promise<void> {
  const person = await findUser(tx, input.to)
  if (!person || person.deleted_at !== null) return
  const sender = await officialAccount(tx)
  if ((await relationsTo(tx, input.to, [sender.id]))(sender.id).isBlocked) return
  const code = await rows.open(tx, {
    code: ids.uuid().replaceAll('-', ''),
    userId: sender.id,
    targetId: input.to,
    now: clock.now(),
  })
  await rows.lock(tx, code)
  const { seq, at } = await rows.next(tx, code, clock.now())
  const id = ids.uuid() as MessageId
  const message = {
    id,
    chat_code: code,
    kind: 'text' as const,
    content: input.text,
    nonce: '',
    seq,
    create_at: at,
    quote: null,
    attachments: null,
    ...noMentions(input.text),
  }
  await rows.add(tx, { ...message, author_id: sender.id })
  const body = { ...message, target_id: input.to, author: privateAuthorOf(sender, appContext) }
  emit.person(input.to, privateSent, body)
}
