/**
 * The hook by which nouns ask whether a text or picture may be shown to others. `screening/screening.ts`
 * answers it, which comes after them; without it everything passes. Decision 82.
 */
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import type { Tx } from './database/db.ts'

/** Where a text or picture would be shown. */
export const SCREENED_TARGETS = [
  ...(['channel', 'private', 'username', 'nickname'] as const),
  ...(['guild', 'guild_address', 'guild_channel', 'role', 'emoji', 'preview', 'picture'] as const),
] as const
export type ScreenedTarget = (typeof SCREENED_TARGETS)[number]

export type Verdict = 'pass' | 'refuse' | 'hold'

/** What is asked about. */
export interface Screened {
  readonly target: ScreenedTarget
  /** Null: the account is not made yet. */
  readonly userId: UserId | null
  /** Of a person, a guild or a role: its name is the first one. */
  readonly texts: readonly string[]
  /** Keys of stored files that it shows. */
  readonly files?: readonly string[]
}

/** Where a held message belongs: a channel of a guild, or a private conversation with somebody. */
export type HeldTarget =
  | { readonly target: 'channel'; readonly channelId: ChannelId; readonly guildId: GuildId }
  | { readonly target: 'private'; readonly code: string; readonly targetId: UserId }

/** A message as it is asked about: what is needed to hold it. */
export interface ScreenedMessage {
  readonly to: HeldTarget
  readonly authorId: UserId
  readonly nonce: string
  readonly texts: readonly string[]
  readonly files: readonly string[]
  /** All that sending it later needs. */
  readonly input: object
}

/** A picture on this machine's disk, or a smaller copy of it. */
export interface PictureFile {
  readonly path: string
  readonly bytes: number
}

export interface Screening {
  /** False: nobody is asked, and everything passes. */
  readonly isOn: boolean
  /** False: every picture passes. */
  readonly looksAtPictures: boolean
  /** Judges a picture at its upload by its first file that is small enough. */
  picture(files: readonly PictureFile[]): Promise<Verdict>
  /** Whether it is a name that nobody may take, whatever the rules say. Also when it is off. */
  isReserved(input: Pick<Screened, 'target' | 'texts'>): Promise<boolean>
  /** May take as long as the review service may: never within a transaction. */
  ask(input: Screened): Promise<Verdict>
  /**
   * The same for a message. Null: it passes. A function: it is to be held, which the function does, in a
   * transaction of its own.
   * @throws Failure content.refused; content.held and content.rejected, for a nonce that was held before
   */
  message(input: ScreenedMessage): Promise<(() => Promise<void>) | null>
  /** @throws Failure content.held, content.rejected, for a nonce that was held before */
  refuseHeldBefore(input: ScreenedMessage): Promise<void>
  /** Holds a message for the moderators of its guild, by one of their rules. @throws Failure too_many */
  holdForGuild(tx: Tx, input: ScreenedMessage, ruleId: string): Promise<void>
}

/** What nouns find the hook in. */
export interface Screens {
  /** Absent: everything passes. */
  readonly screening?: Screening
}

/**
 * Asks about a message. Null: it passes. Otherwise it is to be held, which the function does; it refuses with
 * content.held once it is held.
 * @throws Failure content.refused, content.held, content.rejected
 */
export async function holdFor(
  screening: Screening,
  message: ScreenedMessage & { readonly isForNow?: boolean | undefined },
): Promise<(() => Promise<never>) | null> {
  const hold = await screening.message(message)
  if (!hold) return null
  if (message.isForNow) throw fail('content.refused')
  return async () => {
    await hold()
    throw fail('content.held')
  }
}

/** Asks about what cannot wait for staff: names, faces, edits. Never within a transaction. */
export const isAllowed = async (screens: Screens, screened: Screened): Promise<boolean> =>
  (await refusalOf(screens, screened)) === null

/** @throws Failure content.refused, content.reserved */
export async function requireAllowed(screens: Screens, screened: Screened): Promise<void> {
  const refusal = await refusalOf(screens, screened)
  if (refusal) throw fail(refusal)
}

async function refusalOf(
  { screening }: Screens,
  screened: Screened,
): Promise<'content.refused' | 'content.reserved' | null> {
  if (!screening) return null
  if (await screening.isReserved(screened)) return 'content.reserved'
  return screening.isOn && (await screening.ask(screened)) !== 'pass' ? 'content.refused' : null
}
