/**
 * The hook by which messages to channels are judged by the rules of their guild. `moderation/moderation.ts`
 * answers it, which comes after the noun of messages; without it everything passes. Decision 118.
 */
import type { Failure } from '@guildhall/wire/failure.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import type { Millis } from '@guildhall/wire/unit.ts'

/** A message of a member whom rules may stop. */
export interface ModeratedMessage {
  readonly guildId: GuildId
  readonly channelId: ChannelId
  /** The category of the channel; null: it is in none. */
  readonly categoryId: ChannelId | null
  readonly authorId: UserId
  /** The author's roles beside everyone's, and when they joined the guild, ms. */
  readonly roles: readonly number[]
  readonly joinedAt: Millis
  /** Every text of it that people read. */
  readonly texts: readonly string[]
  /** People and roles that it mentions; everybody is one. */
  readonly mentions: number
  readonly hasFiles: boolean
}

/** What rules say of a message that they stop. */
export interface Stopped {
  /** The rule for which it waits for moderators; null: it is refused. */
  readonly heldBy: string | null
  /** Counts it, and does what the rules do beside. Once for a message. Never fails. */
  act(): Promise<void>
  /** What its author is told. */
  readonly failure: Failure
}

/** Who is about to join which guild. */
export interface Joining {
  readonly guildId: GuildId
  readonly userId: UserId
  /** Refuses with captcha.needed until they have solved one. */
  readonly requireCaptcha: () => Promise<void>
}

export interface Moderation {
  /**
   * Null: it passes. `version`: of the guild's rules, above 0. `isNew`: an edit counts for no flood.
   */
  judge(message: ModeratedMessage, version: number, isNew: boolean): Promise<Stopped | null>
  /**
   * Counts somebody who is about to join a guild by their own act; a member is not counted.
   * @throws Failure moderation.raid (detail.minutes), moderation.raid_slow, captcha.needed
   */
  joining(who: Joining, isMember: () => Promise<boolean>): Promise<void>
}

/** What nouns find the hook in. */
export interface Moderates {
  /** Absent: everything passes. */
  readonly moderation?: Moderation
}
