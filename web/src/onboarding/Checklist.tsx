import { channelType, type Guild } from '@guildhall/wire/channel/channel.ts'
import { flat } from '@guildhall/wire/channel/flat.ts'
import { listInvites } from '@guildhall/wire/invite/manage.ts'
import { closeChecklist } from '@guildhall/wire/onboarding/onboarding.ts'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { call } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { invalidateRoute, useRouteQuery } from '../kit/routeQuery.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { CloseIcon } from '../ui/icon/icon.tsx'
import { NextIcon } from '../ui/icon/icons.tsx'
import { CheckIcon } from '../ui/icon/laterIcons.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { keepOwn } from './keepOwn.ts'
import styles from './Onboarding.module.css'
import { text } from './text.ts'
import { useOnboarding } from './useOnboarding.ts'

/** Channels of a guild that has enough to begin with. */
const CHANNELS_TO_BEGIN = 3

/**
 * What a new guild still needs, to its owner: each leads to where it is done. Gone when all is done, or
 * closed. `isCovered`: a sheet is open above it, in which an invite may be made.
 */
export function Checklist({ guild, isCovered }: { guild: Guild; isCovered: boolean }) {
  const t = useText(text)
  const items = useItems(guild, isCovered)
  const done = items?.filter(({ isDone }) => isDone).length
  if (!items || done === items.length) return null
  const close = async () => {
    // It is gone at once, and a call of its own would end with it.
    keepOwn(guild.id, { has_checklist: false })
    await call(closeChecklist, { guild_id: guild.id }).catch(({ message }: Error) => {
      toast(message)
      keepOwn(guild.id, { has_checklist: true })
    })
  }
  return (
    <section className={styles.checklist} aria-labelledby="checklist">
      <div className={styles.head}>
        <h2 className={styles.title} id="checklist">
          {t.checklist} <span className={styles.how}>{`${done}/${items.length}`}</span>
        </h2>
        <IconButton label={t.closeChecklist} onPress={() => void close()}>
          <CloseIcon size={18} />
        </IconButton>
      </div>
      <ul className={styles.items}>
        {items.map(({ name, path, isDone }) => (
          <li key={name}>
            <Link className={styles.item} to={path} data-done={isDone || undefined}>
              <span className={styles.mark}>{isDone && <CheckIcon size={16} />}</span>
              <span className={styles.why}>
                {t[name]}
                {isDone && <span className="unseen">{t.isDone}</span>}
              </span>
              <NextIcon size={18} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What there is and what is missing, from what the guild has; null: it is not known yet. */
function useItems(guild: Guild, isCovered: boolean) {
  const { answer: onboarding } = useOnboarding(guild.id)
  const { answer: invites } = useRouteQuery(listInvites, { guild_id: guild.id })
  // No event tells of invites.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when the sheet opens and closes
  useEffect(() => invalidateRoute(listInvites, { guild_id: guild.id }), [guild.id, isCovered])
  if (!onboarding || !invites) return null
  const settings = `/guild/settings/${guild.id}`
  const channels = flat(guild.channels).filter(({ type }) => type !== channelType.category)
  return [
    { name: 'face', path: `/guild/profile/${guild.id}`, isDone: guild.icon !== '' },
    { name: 'channels', path: `${settings}/channels`, isDone: channels.length >= CHANNELS_TO_BEGIN },
    { name: 'invite', path: `${settings}/invites`, isDone: invites.items.length > 0 },
    { name: 'rules', path: `${settings}/onboarding`, isDone: onboarding.rules_on },
  ] as const
}
