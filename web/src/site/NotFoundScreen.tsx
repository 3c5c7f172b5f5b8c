import { Link } from 'react-router'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { LinkIcon } from '../ui/icons.tsx'
import { EmptyState, Page } from '../ui/parts.tsx'
import { text } from './text.ts'

/** An address that leads nowhere. */
export default function NotFoundScreen() {
  const t = useText(text)
  return (
    <Page>
      <EmptyState
        page
        icon={<LinkIcon size={32} />}
        title={t.notFound}
        words={t.notFoundWhy}
        action={
          <Link className="button button-soft" to={paths.home()}>
            {t.home}
          </Link>
        }
      />
    </Page>
  )
}
