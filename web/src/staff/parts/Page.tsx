import type { AnswerOf, Route } from '@guildhall/wire/route.ts'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { CallInput } from '../../kit/call.ts'
import { useText } from '../../kit/i18n.ts'
import { useRouteQuery } from '../../kit/routeQuery.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { LoadingState } from '../../ui/LoadingState.tsx'
import { text } from '../text.ts'
import styles from './parts.module.css'

/** What one call answers, or that it is loaded or refused. `back`: the list that it stands in. */
export function Loaded<R extends Route>(props: {
  route: R
  input: CallInput<R>
  back: string
  children: (answer: AnswerOf<R>) => ReactNode
}) {
  const t = useText(text)
  const { answer, failure, refetch } = useRouteQuery(props.route, props.input)
  return (
    <>
      <p>
        <Link className={styles.back} to={props.back}>
          ‹ {t.back}
        </Link>
      </p>
      {failure ? (
        <ErrorState title={t.failed} message={failure.message} onRetry={refetch} />
      ) : answer ? (
        props.children(answer as AnswerOf<R>)
      ) : (
        <LoadingState />
      )}
    </>
  )
}
