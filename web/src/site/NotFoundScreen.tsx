import { Link } from 'react-router'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { buttonClass } from '../ui/Button.tsx'
import { Page } from '../ui/page/Page.tsx'
import { useProductTitle } from '../ui/page/useProductTitle.ts'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { SignpostDrawing } from './notFoundDrawing.tsx'
import { text } from './text.ts'

/** Shown for unknown paths. */
export default function NotFoundScreen() {
  const t = useText(text)
  useProductTitle(t.notFound)
  return (
    <Page>
      <EmptyState
        page
        icon={<SignpostDrawing />}
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
