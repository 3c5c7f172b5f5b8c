/** What guilds ask of their members, who are a later noun. */
import type { GuildId } from '@guildhall/wire/id.ts'
import type { Db } from '../kit/database/db.ts'
import type { AppContext } from '../kit/events/events.ts'

export interface GuildMembers {
  readonly countMembers: (db: Db, guildId: GuildId) => Promise<number>
  /** Tells all members of a guild that it is there again. */
  readonly notifyRestored: (appContext: AppContext, guildId: GuildId) => Promise<void>
}
