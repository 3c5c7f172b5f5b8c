import { offeredThirdParties } from '@guildhall/wire/auth/thirdPartyNames.ts'
import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import type { AccountAddress } from '@guildhall/wire/pages.ts'
import { useMemo } from 'react'
import { text as accountText } from '../../../account/text.ts'
import { useMe } from '../../../auth/auth.ts'
import { readStored } from '../../../kit/browser/storage.ts'
import { useText } from '../../../kit/i18n.ts'
import { paths } from '../../../kit/paths.ts'
import { useRouteQuery } from '../../../kit/routeQuery.ts'
import { addressOf, sectionsFor } from '../../guildSettings/sections.ts'
import { text as settingsText } from '../../guildSettings/text.ts'
import type { NamedPage } from './destinations.ts'
import { switcherText } from './switcherText.ts'

/** Pages with names: those of one’s own, and the settings of the guild that was open last, where one may. */
export function usePages(): readonly NamedPage[] {
  const t = useText(switcherText)
  const account = useAccountPages()
  const settings = useGuildSettings()
  return useMemo(
    () => [
      { path: paths.chats(), name: t.chats },
      { path: paths.friends(), name: t.friends },
      { path: paths.discover(), name: t.discover },
      ...account,
      ...settings,
    ],
    [t, account, settings],
  )
}

function useAccountPages(): readonly NamedPage[] {
  const t = useText(accountText)
  const { mobile_verified } = useMe()
  return useMemo(() => {
    const page = (path: AccountAddress, name: string): NamedPage => ({ path, name, detail: t.title })
    return [
      { path: paths.account(), name: t.title },
      page('/account/avatar', t.picture),
      page('/account/name', t.username),
      page('/account/digits', t.digits),
      page('/account/buff', t.buff),
      page('/account/boost', t.boost),
      page('/account/golive', t.golive),
      page('/account/order-list', t.bill),
      ...(mobile_verified ? [page('/account/number', t.either)] : []),
      page('/account/password', t.password),
      page('/account/second-factor', t.secondFactor),
      ...(offeredThirdParties(document.cookie).length > 0 ? [page('/account/linked', t.linked)] : []),
      page('/account/devices', t.devices),
    ]
  }, [t, mobile_verified])
}

function useGuildSettings(): readonly NamedPage[] {
  const t = useText(settingsText)
  const guildId = readStored('last_guild') as GuildId | null
  const { answer: guild } = useRouteQuery(viewGuild, { id: guildId ?? ('' as GuildId) }, guildId !== null)
  return useMemo(() => {
    if (!guild) return []
    return sectionsFor(guild).map((section) => ({
      path: addressOf(guild, section),
      name: t[section.name],
      detail: `${guild.name} · ${t.title}`,
    }))
  }, [guild, t])
}
