import { type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import {
  acceptTransfer,
  cancelTransfer,
  type GuildTransfer,
  viewTransfer,
} from '@guildhall/wire/guild/transfer.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { Link, useNavigate } from 'react-router'
import { guildChanged } from '../../guild/guild.ts'
import { timeLabel } from '../../kit/format/time.ts'
import { useLocale, useText } from '../../kit/i18n.ts'
import { paths } from '../../kit/paths.ts'
import { invalidateRoute, useRouteQuery } from '../../kit/routeQuery.ts'
import { type Calling, useCall } from '../../kit/useCall.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { LockIcon } from '../../ui/icon/channelIcons.tsx'
import { toast } from '../../ui/overlay/Toast.tsx'
import { TitledPage } from '../../ui/page/TitledPage.tsx'
import { GuildIcon } from '../../ui/picture/GuildIcon.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { GuildNotLoaded } from '../../ui/state/GuildNotLoaded.tsx'
import { both, Loaded } from '../../ui/state/Loaded.tsx'
import styles from './Owner.module.css'
import { ownerText } from './ownerText.ts'

/** /guild/transfer/{guildId}: where a member accepts the guild that its owner hands to them. */
export default function TransferScreen({ guildId }: { guildId: GuildId }) {
  const t = useText(ownerText)
  const navigate = useNavigate()
  const guild = useRouteQuery(viewGuild, { id: guildId })
  const found = useRouteQuery(viewTransfer, { guild_id: guildId })
  // The event may take the offer away before the answer leads to the guild.
  const answers = {
    accepting: useCall(acceptTransfer),
    refusing: useCall(cancelTransfer),
  }
  return (
    <TitledPage title={t.screen} onBack={() => void navigate(paths.guild(guildId))}>
      <main className={styles.offer}>
        <Loaded
          of={both(guild, found)}
          title={t.transferFailed}
          failed={(failure, onRetry) => (
            <GuildNotLoaded title={t.transferFailed} failure={failure} onRetry={onRetry} />
          )}
        >
          {([answer, { transfer }]) =>
            transfer && !answer.is_master ? (
              <Offered guild={answer} transfer={transfer} {...answers} />
            ) : (
              <>
                <EmptyState icon={<LockIcon />} title={t.none} message={t.noneWhy} />
                <Link className={buttonClass('soft', true)} to={paths.guild(guildId)}>
                  {t.toGuild}
                </Link>
              </>
            )
          }
        </Loaded>
      </main>
    </TitledPage>
  )
}

function Offered(props: {
  guild: Guild
  transfer: GuildTransfer
  accepting: Calling<typeof acceptTransfer>
  refusing: Calling<typeof cancelTransfer>
}) {
  const { guild, transfer, accepting, refusing } = props
  const t = useText(ownerText)
  const locale = useLocale()
  const navigate = useNavigate()
  const answered = async (run: typeof accepting.run | typeof refusing.run, done: string) => {
    const isDone = await run({ guild_id: guild.id }, ({ message }) => toast(message))
    guildChanged(guild.id)
    invalidateRoute(viewTransfer)
    if (!isDone) return
    toast(done)
    await navigate(paths.guild(guild.id), { replace: true })
  }
  return (
    <>
      <GuildIcon id={guild.id} name={guild.name} src={guild.icon} size={72} />
      <h2 className={styles.offerTitle}>{t.offerOf(guild.name)}</h2>
      <p className={styles.offerWords}>{t.offerBy(transfer.owner.username)}</p>
      <p className={styles.offerWords}>{t.offerUntil(timeLabel(transfer.ends_at, Date.now(), locale))}</p>
      <div className={styles.actions}>
        <Button
          block
          busy={accepting.status === 'busy'}
          onPress={() => void answered(accepting.run, t.accepted)}
        >
          {t.accept}
        </Button>
        <Button
          block
          kind="quiet"
          busy={refusing.status === 'busy'}
          onPress={() => void answered(refusing.run, t.refused)}
        >
          {t.refuse}
        </Button>
      </div>
    </>
  )
}
