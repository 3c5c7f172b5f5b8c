/** What a page knows of the configuration before it asks: the cookies that come with it. */
import { PREFIXES_COOKIE } from '@guildhall/wire/auth/mobile.ts'
import { WAYS_COOKIE, waysValue } from '@guildhall/wire/auth/ways.ts'
import { APPS_COOKIE } from '@guildhall/wire/site/appsCookie.ts'
import type { Config } from '../../config.ts'
import type { Reader } from '../../kit/http/endpoints.ts'
import type { ThirdParties } from '../adapters/thirdParties.ts'
import { appsCookieOf } from './siteInfo.ts'

/**
 * The cookies of the pages that somebody loads: the ways to log in, dialing prefixes, where there is an app.
 */
export const pageCookiesOf =
  (config: Config, thirdParties: Pick<ThirdParties, 'pageCookie'>) =>
  (from: Reader): { readonly name: string; readonly value: string }[] => [
    thirdParties.pageCookie(from),
    { name: WAYS_COOKIE, value: waysValue(config.registration.ways) },
    { name: PREFIXES_COOKIE, value: config.sms.prefixes.join('.') },
    { name: APPS_COOKIE, value: appsCookieOf(config) },
  ]
