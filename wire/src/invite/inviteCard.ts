/**
 * An invite as a card in a message shows it; in a file of its own, because the invite's page needs it not.
 */
import { inviteCode } from '../id.ts'
import { route } from '../route.ts'
import { z } from '../schema.ts'
import { invite, viewInvite } from './invite.ts'

/** The same in the older dialect, for invite cards in messages. */
export const viewInviteV2 = route({
  method: 'GET',
  path: '/api/v2/invites/:code',
  dialect: 'v2',
  who: 'anyone',
  input: z.object({ code: inviteCode }),
  answer: invite,
  fails: viewInvite.fails,
})
