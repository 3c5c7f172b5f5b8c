import type { AnswerOf, Route } from '@guildhall/wire/route.ts'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { CallInput } from '../../kit/call.ts'
import { useText } from '../../kit/i18n.ts'
import { useRouteQuery } from '../../kit/routeQuery.ts'
import { Loaded as LoadedQuery } from '../../ui/state/Loaded.tsx'
import { text } from '../text.ts'
import styles from './parts.module.css'

/** The way back to the list that a page stands in. */
export function BackLink({ to }: { to: string }) {
  const t = useText(text)
  return (
    <p>
      <Link className={styles.back} to={to}>
        ‹ {t.back}
      </Link>
    </p>
  )
}

/** What one call answers, or that it is loaded or refused. `back`: the list that it stands in. */
export function Loaded<R extends Route>(props: {
  route: R
  input: CallInput<R>
  back: string
  children: (answer: AnswerOf<R>, refetch: () => void) => ReactNode
}) {
  const t = useText(text)
  const query = useRouteQuery(props.route, props.input)
  return (
    <>
      <BackLink to={props.back} />
      <LoadedQuery of={query} title={t.failed}>
        {(answer) => props.children(answer, query.refetch)}
      </LoadedQuery>
    </>
  )
}
