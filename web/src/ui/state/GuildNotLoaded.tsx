import { Link } from 'react-router'
import type { CallFailure } from '../../kit/call.ts'
import { useText } from '../../kit/i18n.ts'
import { paths } from '../../kit/paths.ts'
import { buttonClass } from '../Button.tsx'
import { LockIcon } from '../icon/channelIcons.tsx'
import { EmptyState } from './EmptyState.tsx'
import { ErrorState } from './ErrorState.tsx'
import { text } from './guildNotLoadedText.ts'

/** Why a page of a guild is not shown: to who is no member it never is. */
export function GuildNotLoaded(props: { title: string; failure: CallFailure; onRetry: () => void }) {
  const t = useText(text)
  if (props.failure.name === 'forbidden') return <NoGuildHere title={t.notMember} />
  return <ErrorState top title={props.title} message={props.failure.message} onRetry={props.onRetry} />
}

/** Why there is no guild to show here, and the way to one's own. */
export function NoGuildHere({ title }: { title: string }) {
  const t = useText(text)
  return (
    <EmptyState
      top
      icon={<LockIcon />}
      title={title}
      action={
        <Link className={buttonClass('soft')} to={paths.channels()}>
          {t.toGuilds}
        </Link>
      }
    />
  )
}
