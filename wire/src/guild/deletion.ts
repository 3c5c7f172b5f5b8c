/** Guilds that their owners delete and bring back. commerce.md §3 "restore_delete_guild". */
import { guildId } from '../id.ts'
import { route } from '../route.ts'
import { nothing, z } from '../schema.ts'

/**
 * Deletes a guild of the caller's: it is gone for everybody. Where its level has the right
 * `restore_delete_guild`, its owner can restore it within `GUILD_RESTORABLE_MS`. Ours.
 */
export const deleteGuild = route({
  method: 'POST',
  path: '/api/v3/guild/delete',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId }),
  answer: nothing,
  fails: ['forbidden', 'guild.not_owner'],
})

/** The guilds that the caller deleted within `GUILD_RESTORABLE_MS`, the newest first. Ours. */
export const listDeletedGuilds = route({
  method: 'GET',
  path: '/api/v3/guild/deleted-list',
  dialect: 'v3',
  who: 'user',
  input: z.object({}),
  answer: z.object({
    items: z.array(
      z.object({
        id: guildId,
        name: z.string(),
        icon: z.string(),
        /** ms */
        deleted_at: z.number(),
        /** Until when it can be restored, ms. */
        restorable_until: z.number(),
        /** Whether the level that it had then allows it. */
        can_restore: z.boolean(),
      }),
    ),
  }),
  fails: [],
})

/** Restores a guild that the caller deleted, as it was. Its members get `self_joined_guild`. Ours. */
export const restoreGuild = route({
  method: 'POST',
  path: '/api/v3/guild/restore',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId }),
  answer: nothing,
  fails: ['guild.level', 'guild.not_closed', 'guild.owns_too_many'],
})
