/** The short address of a guild. commerce.md §3 "custom_id". */

import { CUSTOM_ID_MAX } from '../guild/customId.ts'
import { guildId } from '../id.ts'
import { route } from '../route.ts'
import { text, z } from '../schema.ts'
import { foldDashed } from '../words.ts'

/**
 * Sets the custom id of a guild, or with `''` takes it away. Whoever opens `/g/CUSTOM_ID` is led to an invite
 * of the guild, which this makes. Needs the right to manage the guild, and a level that has custom ids. Ours.
 */
export const setCustomId = route({
  method: 'POST',
  path: '/api/v3/guild/custom-id',
  dialect: 'v3',
  who: 'user',
  input: z.object({ guild_id: guildId, custom_id: text(CUSTOM_ID_MAX * 2, 0, foldDashed) }),
  answer: z.object({
    custom_id: z.string(),
    /** The whole short address; empty without one. */
    url: z.string(),
  }),
  fails: [
    'forbidden',
    'guild.id_taken',
    'guild.id_wrong',
    'guild.level',
    'member.no_right',
    'content.refused',
  ],
})
