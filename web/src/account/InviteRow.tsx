import { myInviteCodes } from '@guildhall/wire/invite/referral.ts'
import { useText } from '../kit/i18n.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { LinkIcon } from '../ui/icon/laterIcons.tsx'
import menuStyles from '../ui/overlay/Menu.module.css'
import { toast } from '../ui/overlay/Toast.tsx'
import { text } from './text.ts'

/** A row that shares one's personal invite link, or copies it, and says how many people came by it. */
export function InviteRow() {
  const t = useText(text)
  const codes = useRouteQuery(myInviteCodes, {})
  const own = codes.answer?.items[0]
  const share = async () => {
    if (!own) {
      codes.refetch()
      return toast(t.inviteFailed)
    }
    try {
      if (navigator.share) return await navigator.share({ url: own.url })
      await navigator.clipboard.writeText(own.url)
      toast(t.inviteCopied)
    } catch (error) {
      // Closing the sheet of the system is no failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) toast(t.inviteFailed)
    }
  }
  return (
    <button type="button" className={menuStyles.item} onClick={() => void share()}>
      <LinkIcon />
      <span className={menuStyles.label}>{t.invite}</span>
      {own && <span className={menuStyles.value}>{t.invited(own.count)}</span>}
    </button>
  )
}
