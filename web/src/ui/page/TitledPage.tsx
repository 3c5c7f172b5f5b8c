import type { ReactNode } from 'react'
import { Page } from './Page.tsx'
import { TopBar } from './TopBar.tsx'
import { useProductTitle } from './useProductTitle.ts'

/** A page below the top bar with its name, from which one comes back. */
export function TitledPage(props: {
  title: string
  onBack: (() => void) | undefined
  /** At the end of its bar. */
  actions?: ReactNode
  children: ReactNode
}) {
  useProductTitle(props.title)
  return (
    <Page>
      <TopBar title={props.title} onBack={props.onBack} actions={props.actions} />
      {props.children}
    </Page>
  )
}
