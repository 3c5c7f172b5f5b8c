/**
 * Private conversations: who may have one, and a person's list of them. Each message and each change in one
 * is an event of both people, in their own order. protocol.md §3.3, §4.8 and §4.9.
 */
import { CHAT_UNREAD_MAX, type Chat } from '@guildhall/wire/chat/chat.ts'
import { chatMarkUpdated } from '@guildhall/wire/chat/page.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { kindNumber } from '@guildhall/wire/message/kind.ts'
import { LIST_SIZE_MAX } from '@guildhall/wire/page.ts'
import { publicUser } from '@guildhall/wire/user/public.ts'
import { type Relation, relationsTo } from '../friend/friend.ts'
import type { Db } from '../kit/database/db.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import { identityOf } from '../user/user.ts'
import { codeWith, mayWrite, sideOf } from './access.ts'
import * as rows from './sql.ts'

export { privateMessageIn, seenAroundPrivate } from './history.ts'
export { deleteAnyPrivate, deleteSomePrivateOf, forgetChats, ownPrivateMessages } from './messageActions.ts'
export { notifyFromOfficialAccount } from './officialAccount.ts'
export { chatCandidates, chatCodesOf, lastSentPrivatelyAt, privatelyListed } from './search.ts'
export { send as sendPrivate, sentPrivately } from './send.ts'
export { countPrivateSent, type PrivateRow } from './sql.ts'
export { type ChatContext, withSignedFiles } from './wireForm.ts'

function chatOf(row: rows.SideRow, appContext: AppContext, relation: Relation): Chat {
  return {
    code: row.code,
    last_read_time: row.read_at,
    latest_msg_time: row.last_at,
    unread_count: row.unread,
    is_friend: relation.isFriend,
    is_blocked: relation.isBlocked,
    is_target_blocked: relation.isTargetBlocked,
    target_info: publicUser(identityOf(row, appContext)),
    read_seq: row.read_seq,
    last_message: row.newest_id && {
      id: row.newest_id,
      author_id: row.newest_author_id,
      type: kindNumber(row.newest_kind, 'specification'),
      words: row.newest_words,
    },
  }
}

/** Conversations of which the other person gets an event when somebody changes their name or picture. */
const TOLD_MAX = 200

/** The people with whom somebody has a conversation, the newest first, as many as get an event about them. */
export const partnersOf = (db: Db, userId: UserId): Promise<UserId[]> => rows.partners(db, userId, TOLD_MAX)

/** A page of a person's conversations, the most recent first. protocol.md §1.5. */
export async function listChats(
  appContext: AppContext,
  userId: UserId,
  input: { readonly page: number; readonly size: number },
) {
  const limit = Math.min(input.size, LIST_SIZE_MAX)
  const offset = (input.page - 1) * limit
  const { sides, total } = await rows.list(appContext.db, userId, {
    limit,
    offset,
    unreadMax: CHAT_UNREAD_MAX,
  })
  const relationOf = await relationsTo(
    appContext.db,
    userId,
    sides.map(({ id }) => id),
  )
  return {
    items: sides.map((row) => chatOf(row, appContext, relationOf(row.id))),
    meta: { page: input.page, page_total: Math.ceil(total / limit), page_size: limit, total },
    sort: {},
  }
}

/**
 * One of a person's conversations.
 * @throws Failure chat.unknown, also for a conversation of two other people
 */
export async function viewChat(appContext: AppContext, userId: UserId, code: string): Promise<Chat> {
  const side = await sideOf(appContext.db, userId, code)
  const relation = (await relationsTo(appContext.db, userId, [side.id]))(side.id)
  return {
    ...chatOf(side, appContext, relation),
    may_write: await mayWrite(appContext.db, userId, side.id, relation),
  }
}

/** The conversation with somebody, created when there is none, and shown in the caller's list. */
export async function createChat(appContext: AppContext, userId: UserId, targetId: UserId): Promise<Chat> {
  const code = await codeWith(appContext, userId, targetId)
  await rows.show(appContext.db, userId, code)
  return viewChat(appContext, userId, code)
}

/** Hides a conversation from a person's list until the next message. */
export async function hideChat(appContext: AppContext, userId: UserId, code: string): Promise<void> {
  const { read_seq } = await sideOf(appContext.db, userId, code)
  await commit(appContext, async (tx, emit) => {
    await rows.hide(tx, userId, code)
    emit.person(userId, chatMarkUpdated, { chat_code: code, read_seq })
  })
}
