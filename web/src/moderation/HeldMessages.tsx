import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { decideGuildHeld, type GuildHeld, listGuildHeld } from '@guildhall/wire/moderation/moderation.ts'
import { timeLabel } from '../kit/format/time.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { invalidateRoute, useRouteQuery } from '../kit/routeQuery.ts'
import { useAct } from '../kit/useAct.ts'
import { Button } from '../ui/Button.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { Loaded } from '../ui/state/Loaded.tsx'
import { HeldDrawing } from './drawings.tsx'
import styles from './Moderation.module.css'
import { text } from './text.ts'

/** Messages that rules hold back, each to be sent or rejected. Where they are all there is, also none. */
export function HeldMessages({ guild, isAlone }: { guild: Guild; isAlone: boolean }) {
  const t = useText(text)
  const held = useRouteQuery(listGuildHeld, { guild_id: guild.id })
  if (!isAlone && held.answer?.items.length === 0) return null
  return (
    <Loaded of={held} title={t.heldFailed}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyState icon={<HeldDrawing />} title={t.heldNone} message={t.heldNoneWhy} />
        ) : (
          <>
            <h2 className={styles.heading}>{t.held}</h2>
            <ul className={styles.card} aria-label={t.held}>
              {items.map((it) => (
                <HeldRow key={it.id} guild={guild} held={it} />
              ))}
            </ul>
          </>
        )
      }
    </Loaded>
  )
}

function HeldRow({ guild, held }: { guild: Guild; held: GuildHeld }) {
  const t = useText(text)
  const locale = useLocale()
  const deciding = useAct(decideGuildHeld)
  const isBusy = deciding.isBusy
  const decide = async (pass: boolean) => {
    const input = { guild_id: guild.id, id: Number(held.id), pass }
    if (await deciding.run(input, ({ message }) => toast(message))) toast(pass ? t.passed : t.rejected)
    invalidateRoute(listGuildHeld)
  }
  return (
    <li className={styles.held}>
      <p className={styles.words}>{held.content}</p>
      <p className={styles.fact}>
        {[
          t.in(held.username, held.channel_name),
          held.rule && t.byRule(held.rule),
          timeLabel(held.created_at, Date.now(), locale),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <div className={styles.acts}>
        <Button
          kind="soft"
          busy={isBusy}
          aria-label={t.passOf(held.username)}
          onPress={() => void decide(true)}
        >
          {t.pass}
        </Button>
        <Button
          kind="quiet"
          busy={isBusy}
          aria-label={t.rejectOf(held.username)}
          onPress={() => void decide(false)}
        >
          {t.reject}
        </Button>
      </div>
    </li>
  )
}
