import { Link } from 'react-router'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { LinkIcon } from '../ui/laterIcons.tsx'
import { Page } from '../ui/Page.tsx'
import { useProductTitle } from '../ui/useProductTitle.ts'
import { text } from './text.ts'

/** Shown for unknown paths. */
export default function NotFoundScreen() {
  const t = useText(text)
  useProductTitle(t.notFound)
  return (
    <Page>
      <EmptyState
        page
        icon={<LinkIcon size={32} />}
        title={t.notFound}
        message={t.notFoundWhy}
        action={
          <Link className={buttonClass('soft')} to={paths.home()}>
            {t.home}
          </Link>
        }
      />
    </Page>
  )
}
