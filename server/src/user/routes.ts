import { fail } from '@guildhall/wire/failure.ts'
import { me } from '@guildhall/wire/user/user.ts'
import type { Db } from '../kit/db.ts'
import { type Binding, bindUser } from '../kit/http.ts'
import type { Presence } from '../kit/presence.ts'
import { findUser, selfOf } from './user.ts'

export const userRoutes = ({ db, presence }: { db: Db; presence: Presence }): Binding[] => [
  bindUser(me, async ({ caller }) => {
    const row = await findUser(db, caller.userId)
    if (!row) throw fail('not_logged_in')
    const self = selfOf(row, presence)
    return { ...self, user: self }
  }),
]
