/** What the server has of captchas. */
import type { Module, ModuleContext } from '../kit/module.ts'
import { type Captcha, openCaptcha } from './captcha.ts'
import { captchaRoutes } from './routes.ts'

export async function openCaptchaModule({
  config,
  appContext,
  limits,
  security,
  metrics,
}: ModuleContext): Promise<Module & { readonly captcha: Captcha }> {
  const captcha = await openCaptcha({
    db: appContext.db,
    mode: config.captcha,
    scale: config.rateLimitScale,
    limits,
    security,
    metrics: metrics.captchas,
  })
  return { captcha, routes: captchaRoutes(captcha) }
}
