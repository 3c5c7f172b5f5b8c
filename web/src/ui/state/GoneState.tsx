import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { buttonClass } from '../Button.tsx'
import { EmptyState } from './EmptyState.tsx'

/** In place of a thing that the query names and that is gone, with the way back to the list. */
export function GoneState(props: { icon: ReactNode; title: string; message: string; back: string }) {
  return (
    <EmptyState
      icon={props.icon}
      title={props.title}
      message={props.message}
      action={
        <Link className={buttonClass('soft')} to={{ search: '' }} replace>
          {props.back}
        </Link>
      }
    />
  )
}
