/** What an operator should know about a configuration that works, said at every start. */
import { asksProof } from '@guildhall/wire/auth/ways.ts'
import type { Config } from '../config.ts'
import { isForThisMachine, isLoopback, showsCodes } from './pages/pages.ts'

/** One sentence each; none for a configuration without a known danger. */
export const warningsOf = (config: Config): string[] => [
  ...exposedByOutbox(config),
  ...hiddenClients(config),
  ...unreachableReturn(config),
  ...unboundLogins(config),
  ...unsignedInBrowsers(config),
]

/**
 * What a server that shows codes exposes when other machines can reach it, as lines of text; none when they
 * cannot, or when codes are sent.
 */
function exposedByOutbox(config: Config): string[] {
  if (!showsCodes(config) || isForThisMachine(config)) return []
  const readers =
    config.outboxToken === null
      ? 'nobody reads its codes until OUTBOX_TOKEN is set'
      : 'whoever knows OUTBOX_TOKEN reads the code of any number, and so enters any account'
  return [
    `${isLoopback(config.host) ? `PUBLIC_URL=${config.publicUrl}` : `HOST=${config.host}`}: other machines reach this server, and it sends no SMS.`,
    `${readers}.`,
    ...(config.demo ? ['The passwords of the demo accounts are below: anyone can log in as them.'] : []),
  ]
}

/** TLS ends at a proxy, and then every client has the address of the proxy. */
function hiddenClients(config: Config): string[] {
  if (!config.publicUrl.startsWith('https:') || config.trustedProxies.length > 0) return []
  return [
    'PUBLIC_URL is https, so a proxy stands in front of this server, and TRUSTED_PROXIES does not name it: all people count as one place, and their limits are shared.',
  ]
}

/**
 * Providers send people back to addresses that their consoles name, and those of WeChat and QQ are public.
 */
function unreachableReturn({ thirdParties: { qq, weixin }, publicUrl }: Config): string[] {
  if ((!qq && !weixin) || !isLoopback(new URL(publicUrl).hostname)) return []
  return [
    'QQ_APP_ID or WECHAT_APP_ID is set, but PUBLIC_URL is not: people cannot be sent back to this server.',
  ]
}

/** Who logs in by a provider binds it to a number or an address. */
function unboundLogins(config: Config): string[] {
  const { qq, weixin } = config.thirdParties
  if ((!qq && !weixin) || asksProof(config.registration.ways)) return []
  return [
    'QQ_APP_ID or WECHAT_APP_ID is set, and REGISTRATION=invite leaves nothing to bind a login by QQ or WeChat to: they are offered to nobody.',
  ]
}

/** WeChat signs contracts in browsers by version 2 of its interface, which has a key of its own. */
function unsignedInBrowsers({ pay: { wechat, inBrowser } }: Config): string[] {
  if (!inBrowser || !wechat?.planId || wechat.apiV2Key !== null) return []
  return [
    'WECHAT_PAY_PLAN is set, and WECHAT_PAY_V2_KEY is not: inside of WeChat and in a phone’s browser nobody can buy by WeChat what renews itself.',
  ]
}
