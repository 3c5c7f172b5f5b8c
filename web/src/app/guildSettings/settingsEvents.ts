/** What events change of what only a guild's settings show. They are followed from when those are loaded. */
import type { SystemEventName } from '@guildhall/wire/events.ts'
import { listBans } from '@guildhall/wire/member/moderation.ts'
import { listNotes } from '@guildhall/wire/member/note.ts'
import { listGuildHeld, listRules } from '@guildhall/wire/moderation/moderation.ts'
import { viewGuildSettings } from '@guildhall/wire/profile/settings.ts'
import type { Route } from '@guildhall/wire/route.ts'
import { invalidateRoute } from '../../kit/routeQuery.ts'
import { onEvent, type SettingsEventName } from '../events.ts'

/** Each event of the settings alone is here. */
const OUTDATED = {
  added_block_list: [listBans],
  deleted_block_list: [listBans],
  updated_guild: [viewGuildSettings, listRules],
  updated_held: [listGuildHeld],
  updated_notes: [listNotes],
} satisfies Partial<Record<SystemEventName, readonly Route[]>> & Record<SettingsEventName, readonly Route[]>

const routes = new Map<unknown, readonly Route[]>(Object.entries(OUTDATED))
let isFollowing = false

/** Once for the page. */
export function followSettingsEvents(): void {
  if (isFollowing) return
  isFollowing = true
  onEvent(({ extra }) => {
    for (const route of routes.get(extra.type) ?? []) invalidateRoute(route)
  })
}
