import type { GuildId } from '@guildhall/wire/id.ts'
import {
  createInvite,
  DEFAULT_DURATION,
  INVITE_DURATIONS,
  INVITE_USES,
  UNLIMITED_USES,
} from '@guildhall/wire/invite/manage.ts'
import { useEffect, useState } from 'react'
import { copyText } from '../kit/browser/clipboard.ts'
import { useText } from '../kit/i18n.ts'
import { lazy, Suspense } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { useCall } from '../kit/useCall.ts'
import { Button } from '../ui/Button.tsx'
import { Select } from '../ui/form/Select.tsx'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import styles from './Sharing.module.css'
import { sharingText } from './sharingText.ts'

const QrPicture = lazy(() => loadPart(() => import('../ui/picture/QrPicture.tsx')))

const HOUR_S = 3_600
/** A link that was created for the same guild, time and uses is shown again for this long, ms. */
const LINK_KEPT_MS = 10 * 60_000
const links = new Map<string, { readonly url: string; readonly at: number }>()

/** A sheet with an invite link to a guild: copy, share, QR code, expiry and uses. */
export default function InviteFriends(props: { guildId: string; guildName: string; onClose: () => void }) {
  const t = useText(sharingText)
  return (
    <Sheet popover="wide" title={t.inviteTo(props.guildName)} onClose={props.onClose}>
      <InviteLink guildId={props.guildId} />
    </Sheet>
  )
}

/** An invite link, made when it is first shown, and again when its expiry or uses are changed. */
export function InviteLink({ guildId }: { guildId: string }) {
  const t = useText(sharingText)
  const [terms, setTerms] = useState(DEFAULT_TERMS)
  const { url, message, retry } = useInviteLink(guildId, terms.duration, terms.setting_times)
  return (
    <div className={styles.form}>
      {message ? (
        <ErrorState title={t.inviteTitle} message={message} onRetry={retry} />
      ) : (
        <LinkBox url={url} />
      )}
      <TermsRow terms={terms} onChange={setTerms} />
      <ShareRow url={url} />
    </div>
  )
}

/** How long and how often an invite holds: seconds and uses of the contract's lists. */
export interface Terms {
  readonly duration: number
  readonly setting_times: number
}
export const DEFAULT_TERMS: Terms = { duration: DEFAULT_DURATION, setting_times: UNLIMITED_USES }

/** The choice of both. */
export function TermsRow({ terms, onChange }: { terms: Terms; onChange: (terms: Terms) => void }) {
  const t = useText(sharingText)
  return (
    <div className={styles.row}>
      <Select
        label={t.expires}
        options={INVITE_DURATIONS.map((value) => ({
          value,
          name: value === 0 ? t.forever : t.hours(value / HOUR_S),
        }))}
        value={terms.duration}
        onChange={(duration) => onChange({ ...terms, duration })}
      />
      <Select
        label={t.times}
        options={INVITE_USES.map((value) => ({
          value,
          name: value === UNLIMITED_USES ? t.unlimited : t.uses(value),
        }))}
        value={terms.setting_times}
        onChange={(setting_times) => onChange({ ...terms, setting_times })}
      />
    </div>
  )
}

/** A link; null: it is being made. */
export function LinkBox({ url }: { url: string | null }) {
  const t = useText(sharingText)
  return (
    <p className={styles.linkBox} data-part="invite-link" aria-live="polite">
      {url ?? t.makingLink}
    </p>
  )
}

/** What is done with a link: its QR code, the sheet of the system, copying. */
export function ShareRow({ url }: { url: string | null }) {
  const t = useText(sharingText)
  const [hasQr, setQr] = useState(false)
  const copy = async () => toast((await copyText(url ?? '')) ? t.copied : t.copyFailed)
  // Closing the sheet of the system is no failure.
  const share = () => void navigator.share({ url: url ?? '' }).catch(() => undefined)
  return (
    <>
      {hasQr && url && (
        <div className={styles.qr}>
          <Suspense>
            <QrPicture text={url} label={t.qr} />
          </Suspense>
        </div>
      )}
      <div className={styles.row}>
        {!hasQr && (
          <Button kind="soft" disabled={!url} onPress={() => setQr(true)}>
            {t.showQr}
          </Button>
        )}
        {'share' in navigator && (
          <Button kind="soft" disabled={!url} onPress={share}>
            {t.share}
          </Button>
        )}
        <Button disabled={!url} onPress={() => void copy()}>
          {t.copy}
        </Button>
      </div>
    </>
  )
}

/** The link for these settings; `url` null until it is made, `message` why it could not be. */
function useInviteLink(guildId: string, duration: number, times: number) {
  const { failure, run } = useCall(createInvite)
  const [made, setMade] = useState<{ readonly key: string; readonly url: string } | null>(null)
  const [tries, setTries] = useState(0)
  const key = `${guildId} ${duration} ${times}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try makes the call again
  useEffect(() => {
    const known = links.get(key)
    if (known && Date.now() - known.at < LINK_KEPT_MS) return setMade({ key, url: known.url })
    let isOver = false
    void run({ guild_id: guildId as GuildId, duration, setting_times: times }).then((answer) => {
      if (!answer) return
      links.set(key, { url: answer.url, at: Date.now() })
      if (!isOver) setMade({ key, url: answer.url })
    })
    return () => {
      isOver = true
    }
  }, [key, tries])
  const url = made?.key === key ? made.url : null
  return { url, message: url ? null : (failure?.message ?? null), retry: () => setTries(tries + 1) }
}
