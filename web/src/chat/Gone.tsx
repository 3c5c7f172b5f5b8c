import { Link } from 'react-router'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { ChatGoneDrawing } from './drawings.tsx'
import { text } from './text.ts'

/** There is no such conversation, or the user may have none with this person. */
export function Gone() {
  const t = useText(text)
  return (
    <EmptyState
      icon={<ChatGoneDrawing />}
      title={t.gone}
      message={t.goneWhy}
      action={
        <Link className={buttonClass('soft')} to={paths.chats()} replace>
          {t.toChats}
        </Link>
      }
    />
  )
}
