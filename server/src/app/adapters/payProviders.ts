/** Who is paid: the providers of the configuration, or the sandbox. */
import path from 'node:path'
import { keysInAdvance } from '@guildhall/sandbox/keys.ts'
import {
  findSandbox,
  openSandbox,
  type Sandbox,
  type SandboxAccess,
  type SandboxOptions,
} from '@guildhall/sandbox/sandbox.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { Config } from '../../config.ts'
import type { FetchPicture } from '../../message/message.ts'
import { type ThirdParty, ThirdPartyFailed, ThirdPartyRefused } from '../../outside/login/thirdParty.ts'
import type { AppleSubscriptions } from '../../outside/payment/apple/appleSubscriptions.ts'
import { PAY_TIMEOUT_MS, type PayProvider, type PayWay } from '../../outside/payment/payProvider.ts'
import type { PayerPicture, WeixinPayer } from '../../pay/module.ts'
import { notifyPath } from '../../pay/pay.ts'

export type { Sandbox } from '@guildhall/sandbox/sandbox.ts'

export type PayProviders = ReadonlyMap<PayWay, PayProvider>

/** The page on which one pays inside of WeChat. */
export const WEIXIN_PAGE = '/payment/wechat'

const directoryOf = ({ dataDir }: Config): string => path.join(dataDir, 'sandbox')

/** Begins what takes long of opening the local providers, and touches nothing. */
export async function prepareOwnSandbox(config: Config): Promise<() => Promise<Sandbox | null>> {
  const makeKeys = config.pay.sandbox ? await keysInAdvance(directoryOf(config)) : null
  return () => openOwnSandbox(config, makeKeys ?? undefined)
}

/** Opens the local providers where the configuration wants them. */
export async function openOwnSandbox(
  config: Config,
  makeKeys?: SandboxOptions['makeKeys'],
): Promise<Sandbox | null> {
  if (!config.pay.sandbox) return null
  const { host } = config
  const isEverywhere = host === '0.0.0.0' || host === '::'
  // Browsers of other machines reach it by the name by which they reach the server.
  const name = isEverywhere ? new URL(config.publicUrl).hostname : null
  return openSandbox({
    dir: directoryOf(config),
    host,
    makeKeys,
    ...config.pay.sandbox,
    ...(name && { name }),
  })
}

/**
 * The sandbox that a server on this data directory opened; null: the configuration has none, or none was
 * opened.
 */
export const findOwnSandbox = (config: Config): Promise<SandboxAccess | null> =>
  config.pay.sandbox ? findSandbox(directoryOf(config)) : Promise.resolve(null)

/** The adapters are loaded when they are used: the SDK of Alipay is large. */
export async function openPayProviders(
  config: Config,
  sandbox?: Pick<SandboxAccess, PayWay> | null,
): Promise<PayProviders> {
  const local = sandbox === undefined ? await findOwnSandbox(config) : sandbox
  const { wechat, alipay } = local ?? config.pay
  const notifyUrl = (way: PayWay) => `${config.publicUrl}${notifyPath(way)}`
  const [weixin, ali] = await Promise.all([
    wechat && import('../../outside/payment/wechat/wechat.ts'),
    alipay && import('../../outside/payment/alipay/alipay.ts'),
  ])
  const providers: PayProvider[] = [
    ...(wechat && weixin ? [weixin.openWechatPay(wechat, { notifyUrl: notifyUrl('wechat') })] : []),
    ...(alipay && ali ? [ali.openAlipay(alipay, { notifyUrl: notifyUrl('alipay') })] : []),
  ]
  return new Map(providers.map((it) => [it.way, it]))
}

/** Apple's library is loaded where it is used. */
export async function openApple({ pay }: Config): Promise<AppleSubscriptions | null> {
  if (!pay.apple) return null
  const { openAppleSubscriptions } = await import('../../outside/payment/apple/appleSubscriptions.ts')
  return openAppleSubscriptions(pay.apple)
}

const PAYER_PICTURE_SIDE = 96
/** Nobody waits for a picture to pay, ms. */
const PAYER_PICTURE_MS = 2 * SECOND_MS

/**
 * Brings the picture of who pays to this server: a page shows pictures of this site alone. It is kept for a
 * day, as a file of the buyer's that nothing shows. Resolves to '' without one.
 */
export const payerPictureOf =
  (publicUrl: string, fetchPicture: FetchPicture | null): PayerPicture =>
  async (buyerId, address) => {
    if (address === '' || address.startsWith(`${publicUrl}/`)) return address
    const signal = AbortSignal.timeout(PAYER_PICTURE_MS)
    const file = await fetchPicture?.(buyerId, address, {
      origin: publicUrl,
      side: PAYER_PICTURE_SIDE,
      signal,
    }).catch(() => null)
    return file ?? ''
  }

/** Tells by WeChat's login who pays inside of WeChat; null without one. */
export function weixinPayerOf(
  config: Pick<Config, 'publicUrl'>,
  providers: readonly ThirdParty[],
): WeixinPayer | null {
  const weixin = providers.find(({ name }) => name === 'weixin')
  if (!weixin) return null
  const surface = 'inside'
  const redirectUri = `${config.publicUrl}${WEIXIN_PAGE}`
  return {
    // The local identity provider names a page of this server, without its address.
    authorizeUrl: (state) =>
      new URL(weixin.authorizeUrl({ surface, state, redirectUri }), config.publicUrl).href,
    async identify(code) {
      try {
        return await weixin.identify({ code, surface, redirectUri }, AbortSignal.timeout(PAY_TIMEOUT_MS))
      } catch (error) {
        if (error instanceof ThirdPartyRefused) throw fail('auth.third_part_refused')
        if (error instanceof ThirdPartyFailed) throw fail('auth.third_part_failed')
        throw error
      }
    },
  }
}
