/** What a new guild begins with. A template is a file beside this one, and a name in `GUILD_TEMPLATES`. */
import { channelType } from '@guildhall/wire/channel/channel.ts'
import type { GuildTemplate } from '@guildhall/wire/guild/ownGuild.ts'
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import { createChannel } from '../../channel/channel.ts'
import { setDefaultChannel } from '../../guild/guild.ts'
import type { Tx } from '../../kit/database/db.ts'
import type { Emit } from '../../kit/events/events.ts'
import { addRole } from '../../role/role.ts'
import { classroom } from './classroom.ts'
import { fans } from './fans.ts'
import { friends } from './friends.ts'
import { game } from './game.ts'
import type { Template } from './shape.ts'

export const templates: Readonly<Record<GuildTemplate, Template>> = { friends, game, class: classroom, fans }

/** Gives a new guild its roles and channels. Returns where newcomers begin and are welcomed. */
export async function applyTemplate(
  tx: Tx,
  emit: Emit,
  guildId: GuildId,
  { template, locale }: { readonly template: Template; readonly locale: Locale },
): Promise<ChannelId | null> {
  for (const { name, color, permissions, hoist = false } of template.roles)
    await addRole(
      tx,
      guildId,
      { name: name[locale], color, permissions, hoist: Number(hoist), mentionable: 1 },
      emit,
    )
  let welcoming: ChannelId | null = null
  for (const { category, channels } of template.groups) {
    const parentId = category
      ? await createChannel(tx, emit, { guildId, name: category[locale], type: channelType.category })
      : null
    for (const { name, topic, kind, welcomes } of channels) {
      const id = await createChannel(tx, emit, {
        guildId,
        parentId,
        name: name[locale],
        topic: topic?.[locale] ?? '',
        type: kind === 'voice' ? channelType.voice : channelType.text,
        isReadonly: kind === 'readOnly',
      })
      if (welcomes) welcoming = id
    }
  }
  await setDefaultChannel(tx, guildId, welcoming, emit)
  return welcoming
}
