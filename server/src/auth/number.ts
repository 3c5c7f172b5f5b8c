/** Phone numbers in the form that accounts store. */
import { CHINA, type Mobile, mobileProblem, readMobile } from '@guildhall/wire/auth/mobile.ts'
import { fail } from '@guildhall/wire/failure.ts'
import parsePhoneNumber from 'libphonenumber-js/max'

/** A number as rate limits count it. */
export const keyOf = ({ prefix, mobile }: Mobile): string => `${prefix} ${mobile}`

/**
 * A number as it is stored: digits only, no `+`. Numbers outside China must be possible ones of their
 * country.
 * @throws Failure auth.mobile_required, auth.mobile_wrong
 */
export function readNumber(raw: Mobile): Mobile {
  const { prefix, mobile } = readMobile(raw)
  const problem = mobileProblem({ prefix, mobile })
  if (problem) throw fail(problem)
  if (prefix === CHINA) return { prefix, mobile }
  const parsed = /^[1-9]\d{0,3}$/.test(prefix) ? parsePhoneNumber(`+${prefix}${mobile}`) : undefined
  if (!parsed?.isValid() || parsed.countryCallingCode !== prefix) throw fail('auth.mobile_wrong')
  // `07700 900123` and `7700 900123` are one British number: one account.
  return { prefix, mobile: parsed.nationalNumber }
}

/**
 * Refuses numbers that are known not to be a mobile phone's, such as landlines and premium numbers: a message
 * to one costs and reaches nobody.
 * @throws Failure auth.mobile_wrong
 */
export function requireMobilePhone({ prefix, mobile }: Mobile): void {
  const type = parsePhoneNumber(`+${prefix}${mobile}`)?.getType()
  if (type !== 'MOBILE' && type !== 'FIXED_LINE_OR_MOBILE') throw fail('auth.mobile_wrong')
}
