/** The variable CAPTCHA. */
import { ConfigError } from './configError.ts'

/** `auto`: where there is a risk; `always`: before each code and login; `never`, for development. */
export type CaptchaMode = 'auto' | 'always' | 'never'

/** @throws ConfigError for another value, and for `never` in production */
export function readCaptcha(value: string, production: boolean): CaptchaMode {
  if (value !== 'auto' && value !== 'always' && value !== 'never')
    throw new ConfigError(`CAPTCHA must be auto, always or never, not "${value}".`)
  if (value === 'never' && production)
    throw new ConfigError(
      'CAPTCHA=never is for development: without captchas anybody can have codes sent at your cost. Use auto.',
    )
  return value
}
