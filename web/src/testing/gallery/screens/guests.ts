/** What strangers see first: the start page, and invites into a guild and by a person. */
import { fail } from '@guildhall/wire/failure.ts'
import type { InviteCode } from '@guildhall/wire/id.ts'
import { type Invite, viewInvite } from '@guildhall/wire/invite/invite.ts'
import { viewReferral } from '@guildhall/wire/invite/referral.ts'
import { listPublicGuilds, type PublicGuild } from '@guildhall/wire/profile/publicGuilds.ts'
import { siteInfo } from '@guildhall/wire/site/site.ts'
import type { On } from '../../answers.ts'
import { inviteOf, siteOf } from '../../fixtures.ts'
import { longName } from '../kinds.tsx'
import { banners, faces, icons } from './pictures.ts'
import type { Shown } from './screen.ts'

const publicGuild = (id: string, name: string, more: Partial<PublicGuild>): PublicGuild => ({
  id: id as never,
  name,
  icon: '',
  desc: '每晚八点一起看星星，周末放电影。',
  banner: '',
  members: 12_046,
  online: 128,
  ...more,
})
const recommended = [
  publicGuild('10', '星海公会', { icon: icons.night, banner: banners.night }),
  publicGuild('11', '清晨电台', { desc: '', online: 0 }),
  publicGuild('12', longName.username, { icon: icons.radio }),
]

const into = (more: Partial<Invite['guild']>) => (on: On) =>
  on(viewInvite, () =>
    inviteOf({
      guild: { ...inviteOf().guild, desc: '每晚八点一起看星星，周末放电影。', ...more },
      inviter: { username: '安然', avatar: faces.friend, identify_num: '0003' },
    }),
  )
const CODE = 'AB23CD45'
/** A personal invite: the server has written into the document whose it is. */
const by = (name: string, username: string, avatar: string): Shown => {
  const referral = {
    inviter: { username, avatar, identify_num: '0003' },
    user_invite_code: CODE as InviteCode,
  }
  return {
    name,
    at: `/user-invite/${CODE}`,
    boot: { code: CODE, referral },
    answer: (on) => on(viewReferral, () => referral),
  }
}

export const guestScreens: readonly Shown[] = [
  {
    name: 'start',
    at: '/',
    answer(on) {
      on(listPublicGuilds, () => ({ items: recommended }))
      on(siteInfo, () => siteOf())
    },
  },
  {
    name: 'invite',
    at: '/invite/abc123',
    answer: into({ icon: icons.night, banner: banners.night }),
  },
  {
    name: 'invite-with-an-icon',
    at: '/invite/abc123',
    answer: into({ icon: icons.hills, name: longName.username }),
  },
  {
    name: 'invite-with-letters',
    at: '/invite/abc123',
    answer: into({ desc: '' }),
  },
  {
    name: 'invite-that-ended',
    at: '/invite/abc123',
    answer: (on) => on(viewInvite, () => fail('invite.expired')),
  },
  by('personal-invite', '安然', faces.friend),
  by('personal-invite-with-letters', longName.username, ''),
  {
    name: 'personal-invite-that-ended',
    at: `/user-invite/${CODE}`,
    boot: { code: CODE, failure: 'referral.invalid' },
    answer: (on) => on(viewReferral, () => fail('referral.invalid')),
  },
]
