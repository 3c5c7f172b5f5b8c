/** What the server has of real names. */
import type { UserId } from '@guildhall/wire/id.ts'
import type { Module, ModuleContext } from '../kit/module.ts'
import { type RealNames, verifyRealName } from './realname.ts'
import { realNameRoutes } from './routes.ts'

interface RealNameModule extends Module {
  /** Checks and keeps somebody's real name. @throws Failure realname.* and too_many */
  readonly verify: (
    userId: UserId,
    typed: { readonly name: string; readonly number: string },
    network: string,
  ) => Promise<void>
}

export function realNameModule({ appContext, limits, log }: ModuleContext, names: RealNames): RealNameModule {
  const deps = { ...names, db: appContext.db, limits, log }
  return {
    routes: realNameRoutes(deps),
    verify: (userId, typed, network) => verifyRealName(deps, userId, typed, network),
  }
}
