/** What the server has of captchas. */
import type { AppContext, Module } from '../kit/module.ts'
import { type Captcha, openCaptcha } from './captcha.ts'
import { captchaRoutes } from './routes.ts'

export async function openCaptchaModule({
  config,
  live,
  limits,
  security,
  metrics,
}: AppContext): Promise<Module & { readonly captcha: Captcha }> {
  const captcha = await openCaptcha({
    db: live.db,
    mode: config.captcha,
    scale: config.rateLimitScale,
    limits,
    security,
    metrics: metrics.captchas,
  })
  return { captcha, routes: captchaRoutes(captcha) }
}
