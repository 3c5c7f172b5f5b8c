/** What a guild is told of its roles. protocol.md §3.4. */
import { event } from '../event.ts'
import { role } from '../guild/guild.ts'

export const roleAdded = event('added_role', 'guild', role, { access: 'guild' })
export const roleUpdated = event('updated_role', 'guild', role, { access: 'guild' })
export const roleDeleted = event('deleted_role', 'guild', role, { access: 'guild' })

/** The call whose answers change when a member gets or loses a role. */
export const ROLE_MEMBERS_PATH = '/api/v2/role-members'
