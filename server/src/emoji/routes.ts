/** The calls of a guild’s emoji. */
import { listGuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import { createGuildEmoji, deleteGuildEmoji, updateGuildEmoji } from '@guildhall/wire/emoji/manage.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { indexGuilds as indexGuildsRoute } from '@guildhall/wire/guild/publicGuild.ts'
import type { Assets } from '../asset/asset.ts'
import type { AppContext } from '../kit/events/events.ts'
import { type Binding, bindUpload, bindUser } from '../kit/http/binding.ts'
import { admitEmoji, createEmoji, indexGuilds, listEmoji, removeEmoji, renameEmoji } from './emoji.ts'

export const emojiRoutes = ({
  appContext,
  assets,
}: {
  appContext: AppContext
  assets: Assets
}): Binding[] => [
  bindUser(indexGuildsRoute, ({ caller }, { guild_id }) =>
    indexGuilds(appContext.db, caller.userId, guild_id),
  ),
  bindUser(listGuildEmoji, ({ caller }, { guild_id, page, page_size }) =>
    listEmoji(appContext, caller.userId, { guildId: guild_id, page, size: page_size }),
  ),
  bindUpload(createGuildEmoji, {
    admit: ({ caller }) => admitEmoji(assets, caller.userId),
    tooLarge: (most) => fail('emoji.too_large', { kb: Math.floor(most / 1024) }),
    run: ({ caller }, { guild_id, name }, file) =>
      createEmoji(appContext, assets, caller.userId, { guildId: guild_id, name, file }),
  }),
  bindUser(updateGuildEmoji, async ({ caller }, it) => {
    await renameEmoji(appContext, caller.userId, it)
    return {}
  }),
  bindUser(deleteGuildEmoji, async ({ caller }, { id }) => {
    await removeEmoji(appContext, caller.userId, id)
    return {}
  }),
]
