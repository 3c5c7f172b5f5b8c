import { type ReactNode, useEffect } from 'react'
import festive from '../Festive.module.css'
import { TitledPage } from './TitledPage.tsx'

/** A page of gold on ink; the sheets and dialogs that open on it are golden, too. */
export function FestivePage(props: {
  title: string
  onBack: () => void
  className?: string | undefined
  /** At the end of its bar. */
  actions?: ReactNode
  children: ReactNode
}) {
  useEffect(() => {
    const root = document.documentElement
    root.dataset.tone = 'gold'
    return () => {
      delete root.dataset.tone
    }
  }, [])
  return (
    <TitledPage title={props.title} onBack={props.onBack} actions={props.actions}>
      <main className={`${festive.page} ${props.className ?? ''}`}>{props.children}</main>
    </TitledPage>
  )
}
