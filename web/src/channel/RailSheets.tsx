import type { GuildId } from '@guildhall/wire/id.ts'
import type { ComponentType } from 'react'
import { lazy, Suspense } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import type { InviteFriendsSheet } from './face/later.ts'
import { GuildMenu } from './GuildPane.tsx'

const UserMenu = lazy(() => loadPart(() => import('./UserMenu.tsx')))

/** A sheet that the rail opens: one's own menu, how a guild is created or joined, or the menu of a guild. */
export type RailSheet = 'menu' | 'add' | { readonly guildId: GuildId }
export type NewGuildSheet = ComponentType<{ onClose: () => void }>

export function RailSheets(props: {
  open: RailSheet | null
  NewGuild: NewGuildSheet
  InviteFriends: InviteFriendsSheet
  onClose: () => void
}) {
  const { open, NewGuild, onClose } = props
  return (
    <Suspense>
      {open === 'menu' && <UserMenu onClose={onClose} />}
      {open === 'add' && <NewGuild onClose={onClose} />}
      {open && typeof open === 'object' && (
        <GuildMenu key={open.guildId} {...open} InviteFriends={props.InviteFriends} onClose={onClose} />
      )}
    </Suspense>
  )
}
