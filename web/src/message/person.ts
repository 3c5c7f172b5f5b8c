/** What the messages of a room tell about a person. */
import type { Message } from '@guildhall/wire/message/message.ts'
import { currentMessages, type Room } from '../roomStore/room.ts'

/** A person as far as the page knows them. `identify_num`: empty when unknown. */
export interface KnownPerson {
  readonly username: string
  readonly identify_num: string
  readonly avatar: string
  /** The picture of a member of BUFF, which may move. */
  readonly vip_avatar?: string | undefined
  readonly is_vip?: boolean | undefined
  readonly avatar_frame?: string | undefined
  readonly nickname?: string | undefined
  readonly roles?: readonly number[] | undefined
  readonly bot?: boolean | undefined
  /** The official account. */
  readonly is_sys?: boolean | undefined
}

/** The newest that messages on this page say about a person; null: nothing. */
export function knownPerson(room: Room, userId: string): KnownPerson | null {
  const messages = [...currentMessages(room)].reverse()
  const said = messages.find(({ author }) => author.id === userId)
  if (said) return said.author
  for (const message of messages) {
    const named = mentionedIn(message).find(({ id }) => id === userId)
    // `full_name` is `name#1234`.
    if (named) return { ...named, identify_num: named.full_name.slice(named.username.length + 1) }
  }
  return null
}

const mentionedIn = (message: Message) => message.kmarkdown.mention_part
