/**
 * The hook by which nouns ask whether a text or picture may be shown to others. `screening/screening.ts`
 * answers it, which comes after them; without it everything passes. Decision 82.
 */
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'

/** Where a text or picture would be shown. */
export const SCREENED_PLACES = [
  ...(['channel', 'private', 'username', 'nickname'] as const),
  ...(['guild', 'guild_address', 'guild_channel', 'role', 'emoji', 'preview', 'picture'] as const),
] as const
export type ScreenedPlace = (typeof SCREENED_PLACES)[number]

export type Verdict = 'pass' | 'refuse' | 'hold'

/** What is asked about. */
export interface Screened {
  readonly place: ScreenedPlace
  /** Null: the account is not made yet. */
  readonly userId: UserId | null
  /** Of a person, a guild or a role: its name is the first one. */
  readonly texts: readonly string[]
  /** Keys of stored files that it shows. */
  readonly files?: readonly string[]
}

/** Where a held message belongs: a channel of a guild, or a private conversation with somebody. */
export type HeldPlace =
  | { readonly place: 'channel'; readonly channelId: ChannelId; readonly guildId: GuildId }
  | { readonly place: 'private'; readonly code: string; readonly targetId: UserId }

/** A message as it is asked about: what is needed to hold it. */
export interface ScreenedMessage {
  readonly to: HeldPlace
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
  isReserved(it: Pick<Screened, 'place' | 'texts'>): Promise<boolean>
  /** May take as long as the review service may: never within a transaction. */
  ask(it: Screened): Promise<Verdict>
  /**
   * The same for a message. Null: it passes. A function: it is to be held, which the function does, in a
   * transaction of its own.
   * @throws Failure content.refused; content.held and content.rejected, for a nonce that was held before
   */
  message(it: ScreenedMessage): Promise<(() => Promise<void>) | null>
}

/** What nouns find the hook in. */
export interface Screens {
  /** Absent: everything passes. */
  readonly screening?: Screening
}

/** What to do with a message: answer what was sent before, hold it, or send it. */
export type MessageVerdict<First> =
  | { readonly repeated: First; readonly hold?: undefined }
  | { readonly repeated: null; readonly hold: (() => Promise<never>) | null }

/**
 * Asks about a message. One that was sent before under its nonce stays sent, whatever the rules say now.
 * `hold` refuses with content.held, once it is held.
 * @throws Failure content.refused, content.held, content.rejected
 */
export async function screenMessage<First>(
  screening: Screening,
  it: ScreenedMessage & { readonly isForNow?: boolean | undefined },
  sentBefore: () => Promise<First | null>,
): Promise<MessageVerdict<First>> {
  const verdict = await screening.message(it).catch(async (error: unknown) => {
    const first = await sentBefore()
    if (first === null) throw error
    return { repeated: first }
  })
  if (verdict === null) return { repeated: null, hold: null }
  if (typeof verdict === 'object') return verdict
  const first = await sentBefore()
  if (first !== null) return { repeated: first }
  if (it.isForNow) throw fail('content.refused')
  return {
    repeated: null,
    async hold() {
      await verdict()
      throw fail('content.held')
    },
  }
}

/** Asks about what cannot wait for staff: names, faces, edits. Never within a transaction. */
export const isAllowed = async (screens: Screens, it: Screened): Promise<boolean> =>
  (await refusalOf(screens, it)) === null

/** @throws Failure content.refused, content.reserved */
export async function requireAllowed(screens: Screens, it: Screened): Promise<void> {
  const refusal = await refusalOf(screens, it)
  if (refusal) throw fail(refusal)
}

async function refusalOf(
  { screening }: Screens,
  it: Screened,
): Promise<'content.refused' | 'content.reserved' | null> {
  if (!screening) return null
  if (await screening.isReserved(it)) return 'content.reserved'
  return screening.isOn && (await screening.ask(it)) !== 'pass' ? 'content.refused' : null
}
