import { type GuildBot, listBots } from '@guildhall/wire/bot/bot.ts'
import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { EVERYONE, permission } from '@guildhall/wire/permission/permission.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { useText } from '../kit/i18n.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { ActionRow, ActionRows } from '../ui/ActionRow.tsx'
import { Button } from '../ui/Button.tsx'
import { Avatar } from '../ui/picture/Avatar.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { Loaded } from '../ui/state/Loaded.tsx'
import { BotSheet } from './BotSheet.tsx'
import styles from './Bots.module.css'
import { BotDrawing } from './drawings.tsx'
import { NewBotSheet } from './NewBotSheet.tsx'
import { text } from './text.ts'

/** The bots of a guild: making them, and looking after one's own. */
export default function BotsSettings({ guild }: { guild: Guild }) {
  const t = useText(text)
  const bots = useRouteQuery(listBots, { guild_id: guild.id })
  const [isMaking, setMaking] = useState(false)
  const [opened, setOpened] = useState<string | null>(null)
  const managed = bots.answer?.items.find(({ user }) => user.id === opened)
  return (
    <div className={styles.section}>
      <p className={styles.why}>{t.why}</p>
      <Button block onPress={() => setMaking(true)}>
        {t.make}
      </Button>
      <Loaded of={bots} title={t.failed}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={<BotDrawing />} title={t.none} message={t.noneWhy} />
          ) : (
            <ActionRows label={t.bots}>
              {items.map((bot) => (
                <BotRow key={bot.user.id} guild={guild} bot={bot} onManage={() => setOpened(bot.user.id)} />
              ))}
            </ActionRows>
          )
        }
      </Loaded>
      {(guild.permissions & permission.manage_role) !== 0 && (
        <p className={styles.why}>
          {t.raise}
          <Link className={styles.roles} to={`/guild/settings/${guild.id}/roles`}>
            {t.roles}
          </Link>
        </p>
      )}
      {isMaking && <NewBotSheet guild={guild} onClose={() => setMaking(false)} />}
      {managed && (
        <BotSheet
          guild={guild}
          bot={managed}
          targets={bots.answer?.targets ?? []}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  )
}

function BotRow({ guild, bot, onManage }: { guild: Guild; bot: GuildBot; onManage: () => void }) {
  const t = useText(text)
  const { user, owner } = bot
  const own = guild.roles.filter(({ role_id }) => role_id !== EVERYONE && bot.roles.includes(role_id))
  const names = own.map(({ name }) => name).join(', ')
  return (
    <ActionRow
      picture={<Avatar of={user} size={40} />}
      title={`${user.username}#${user.identify_num}`}
      facts={[
        names ? t.rolesOf(names) : t.noRoles,
        owner ? t.ownerOf(owner.username) : t.noOwner,
        bot.guilds.length > 1 ? t.guildsOf(bot.guilds.map(({ name }) => name).join(', ')) : '',
      ]}
      action={t.manage}
      actionLabel={t.manageOf(user.username)}
      onAction={onManage}
    />
  )
}
