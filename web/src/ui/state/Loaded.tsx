import type { ReactNode } from 'react'
import type { CallFailure } from '../../kit/call.ts'
import type { RouteQuery } from '../../kit/routeQuery.ts'
import { ErrorState } from './ErrorState.tsx'
import { LoadingState } from './LoadingState.tsx'

/** The answer of a query: until it is there a wait, and why it is not where that failed. */
export function Loaded<A>(props: {
  of: Omit<RouteQuery<A>, 'status'>
  /** What failed. */
  title: string
  /** What stands instead of the answer is the main landmark: the screen has none around this. */
  page?: boolean
  /** What stands in place of the usual wait. */
  wait?: ReactNode
  /** What stands in place of the usual words about a failure. */
  failed?: (failure: CallFailure, onRetry: () => void) => ReactNode
  children: (answer: A) => ReactNode
}) {
  const { answer, failure, refetch } = props.of
  if (answer !== null) return props.children(answer)
  if (!failure) return props.wait ?? <LoadingState page={props.page === true} />
  if (props.failed) return props.failed(failure, refetch)
  return (
    <ErrorState title={props.title} message={failure.message} onRetry={refetch} page={props.page === true} />
  )
}

/** Two queries as one, that fails when either does. */
export function both<A, B>(
  one: RouteQuery<A>,
  other: RouteQuery<B>,
): Omit<RouteQuery<readonly [A, B]>, 'status'> {
  return {
    answer: one.answer !== null && other.answer !== null ? [one.answer, other.answer] : null,
    failure: one.failure ?? other.failure,
    refetch() {
      one.refetch()
      other.refetch()
    },
  }
}
