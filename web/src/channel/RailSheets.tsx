import { type ComponentType, lazy, Suspense } from 'react'
import { loadPart } from '../kit/lazyPart.ts'

const UserMenu = lazy(() => loadPart(() => import('./UserMenu.tsx')))

/** A sheet that the rail opens: one's own menu, or how a guild is created or joined. */
export type RailSheet = 'menu' | 'add'
export type NewGuildSheet = ComponentType<{ onClose: () => void }>

export function RailSheets(props: { open: RailSheet | null; NewGuild: NewGuildSheet; onClose: () => void }) {
  const { open, NewGuild, onClose } = props
  return (
    <Suspense>
      {open === 'menu' && <UserMenu onClose={onClose} />}
      {open === 'add' && <NewGuild onClose={onClose} />}
    </Suspense>
  )
}
