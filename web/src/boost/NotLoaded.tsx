import { Link } from 'react-router'
import type { CallFailure } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { LockIcon } from '../ui/icons.tsx'
import { text } from './text.ts'

/** Why a guild's boosts are not shown: to who is no member they never are. */
export function NotLoaded({ failure, onRetry }: { failure: CallFailure; onRetry: () => void }) {
  const t = useText(text)
  if (failure.name !== 'forbidden')
    return <ErrorState title={t.failed} message={failure.message} onRetry={onRetry} />
  return (
    <EmptyState
      icon={<LockIcon size={32} />}
      title={t.notMember}
      action={
        <Link className={buttonClass('soft')} to={paths.channels()}>
          {t.toGuilds}
        </Link>
      }
    />
  )
}
