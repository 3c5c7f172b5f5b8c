/** What the moderators of a guild are told. */
import { event } from '../event.ts'
import { MODERATING } from '../permission/moderating.ts'
import { canManageMessages } from '../permission/permission.ts'
import { z } from '../schema.ts'

/** Something waits for the moderators of a channel, or does not any more. It says nothing of what. Ours. */
export const heldChanged = event('updated_held', 'channel', z.object({}), {
  access: 'none',
  dialects: 'pages',
  isFor: canManageMessages,
})

/** A note was written, changed or deleted. It does not say on whom: that may be its receiver. Ours. */
export const notesChanged = event('updated_notes', 'guild', z.object({}), {
  access: 'none',
  dialects: 'pages',
  isFor: (permissions) => (permissions & MODERATING) !== 0,
})
