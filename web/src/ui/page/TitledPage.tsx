import type { ReactNode } from 'react'
import { Page } from './Page.tsx'
import { TopBar } from './TopBar.tsx'
import { useProductTitle } from './useProductTitle.ts'

/** A page below the top bar with its name, from which one comes back. */
export function TitledPage(props: { title: string; onBack: (() => void) | undefined; children: ReactNode }) {
  useProductTitle(props.title)
  return (
    <Page>
      <TopBar title={props.title} onBack={props.onBack} />
      {props.children}
    </Page>
  )
}
