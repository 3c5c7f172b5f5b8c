import { Link } from 'react-router'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { CompassIcon } from '../ui/icons.tsx'
import { text } from './siteText.ts'

/** /discover beside the rail: says that there is nothing to browse yet, and how people come into guilds. chat.md §2. */
export default function Discover() {
  const t = useText(text)
  return (
    <EmptyState
      top
      icon={<CompassIcon size={32} />}
      title={t.discoverNone}
      message={t.discoverWhy}
      action={
        <Link className={buttonClass('soft')} to={paths.channels()}>
          {t.myGuilds}
        </Link>
      }
    />
  )
}
