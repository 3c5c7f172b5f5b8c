/** The calls about levels of guilds. */
import { allGuildRights, allGuildRightsView } from '@guildhall/wire/boost/rights.ts'
import { settings, settingsV2 } from '@guildhall/wire/boost/settings.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'

const settingsIn = (locale: Locale) => ({
  guild_rights: allGuildRights(),
  guild_rights_view: allGuildRightsView(locale),
})

export const boostRoutes = (): Binding[] => [
  bindUser(settings, async ({ locale }) => settingsIn(locale)),
  bindUser(settingsV2, async ({ locale }) => settingsIn(locale)),
]
