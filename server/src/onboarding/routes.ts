/** The calls of what newcomers are shown. */
import * as calls from '@guildhall/wire/onboarding/onboarding.ts'
import type { AppContext } from '../kit/events/events.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import { acceptRules, changeOnboarding, chooseRole, closeChecklist, viewOnboarding } from './onboarding.ts'

export const onboardingRoutes = (appContext: AppContext): Binding[] => [
  bindUser(calls.viewOnboarding, ({ caller }, { guild_id }) =>
    viewOnboarding(appContext.db, caller.userId, guild_id),
  ),
  bindUser(calls.updateOnboarding, ({ caller }, input) => changeOnboarding(appContext, caller.userId, input)),
  bindUser(calls.acceptRules, async ({ caller }, { guild_id }) => {
    await acceptRules(appContext, caller.userId, guild_id)
    return {}
  }),
  bindUser(calls.chooseRole, ({ caller }, { guild_id, role_id, chosen }) =>
    chooseRole(appContext, caller.userId, { guildId: guild_id, roleId: role_id, isChosen: chosen }),
  ),
  bindUser(calls.closeChecklist, async ({ caller }, { guild_id }) => {
    await closeChecklist(appContext, caller.userId, guild_id)
    return {}
  }),
]
