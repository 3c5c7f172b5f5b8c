/** The calls of guild profiles and of discovery. */

import * as discovery from '@guildhall/wire/profile/discovery.ts'
import * as wire from '@guildhall/wire/profile/profile.ts'
import { listPublicGuilds } from '@guildhall/wire/profile/publicGuilds.ts'
import * as settings from '@guildhall/wire/profile/settings.ts'
import { HOUR_MS } from '@guildhall/wire/unit.ts'
import type { JoinCaptcha } from '../invite/invite.ts'
import type { AppContext } from '../kit/events/events.ts'
import { type Binding, bind, bindUser } from '../kit/http/binding.ts'
import type { Limits } from '../kit/limits/rateLimit.ts'
import { type RateLimit, useAttempt } from '../kit/limits/rateLimitDatabase.ts'
import { type Discovery, joinDiscoverable, type PublicGuilds, type Welcome } from './discovery.ts'
import { changeSettings, viewSettings } from './guildSettings.ts'
import { PUBLIC_READS_PER_NETWORK } from './limit.ts'
import { changeProfile, deleteBanner, handIn, viewRecommended, viewUpdate } from './profile.ts'

const JOINED_PER_PERSON: RateLimit = {
  name: 'guilds joined without an invite by person',
  most: 30,
  windowMs: HOUR_MS,
}

export const profileRoutes = ({
  appContext,
  welcome,
  captcha,
  recommended,
  limits,
  publicGuilds,
}: {
  readonly appContext: AppContext
  readonly welcome: Welcome
  readonly captcha: JoinCaptcha
  readonly recommended: Discovery
  readonly limits: Limits
  readonly publicGuilds: PublicGuilds
}): Binding[] => [
  bindUser(wire.updateGuild, ({ caller }, { id, ...change }) =>
    changeProfile(appContext, caller.userId, id, change),
  ),
  bindUser(wire.deleteBanner, async ({ caller }, { guild_id }) => {
    await deleteBanner(appContext, caller.userId, guild_id)
    return {}
  }),
  bindUser(wire.viewRecommended, ({ caller }, { id }) => viewRecommended(appContext.db, caller.userId, id)),
  bindUser(wire.viewUpdate, ({ caller }, { guild_id }) => viewUpdate(appContext.db, caller.userId, guild_id)),
  bindUser(wire.updateRecommended, async ({ caller }, { guild_id, ...change }) => {
    await handIn(appContext, caller.userId, guild_id, change)
    return {}
  }),
  bindUser(settings.viewGuildSettings, ({ caller }, { guild_id }) =>
    viewSettings(appContext.db, caller.userId, guild_id),
  ),
  bindUser(settings.updateGuildSettings, ({ caller }, input) =>
    changeSettings(appContext, caller.userId, input),
  ),
  bindUser(discovery.listDiscoverables, ({ caller }, { page_size, ...query }) =>
    recommended.list(caller.userId, { ...query, size: page_size }),
  ),
  bind(listPublicGuilds, async ({ network }) => {
    await limits.use(PUBLIC_READS_PER_NETWORK, network)
    return { items: [...(await publicGuilds())] }
  }),
  bindUser(discovery.joinDiscoverable, async ({ caller, network }, { guild_id, sign }) => {
    await useAttempt(appContext.db, JOINED_PER_PERSON, caller.userId)
    const requireCaptcha = () => captcha.requireOf(network, sign)
    await joinDiscoverable(appContext, { guildId: guild_id, userId: caller.userId, requireCaptcha }, welcome)
    return { guild_id }
  }),
]
