/** The call of a guild's growth. */
import { viewGrowth } from '@guildhall/wire/growth/growth.ts'
import type { Db } from '../kit/database/db.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import { growthOf } from './growth.ts'

export const growthRoutes = (db: Db): Binding[] => [
  bindUser(viewGrowth, ({ caller }, { guild_id, days }) => growthOf(db, caller.userId, guild_id, days)),
]
