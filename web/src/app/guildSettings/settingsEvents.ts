/** What events change of what only a guild's settings show. They are followed from when those are loaded. */
import { listBans } from '@guildhall/wire/member/moderation.ts'
import { listNotes } from '@guildhall/wire/member/note.ts'
import { listGuildHeld } from '@guildhall/wire/moderation/moderation.ts'
import type { Route } from '@guildhall/wire/route.ts'
import { invalidateRoute } from '../../kit/routeQuery.ts'
import { onSettingsEvent, type SettingsEventName } from '../events.ts'

const OUTDATED: Readonly<Record<SettingsEventName, Route>> = {
  added_block_list: listBans,
  deleted_block_list: listBans,
  updated_held: listGuildHeld,
  updated_notes: listNotes,
}

let isFollowing = false

/** Once for the page. */
export function followSettingsEvents(): void {
  if (isFollowing) return
  isFollowing = true
  onSettingsEvent((name) => {
    const route = OUTDATED[name as SettingsEventName]
    if (route) invalidateRoute(route)
  })
}
