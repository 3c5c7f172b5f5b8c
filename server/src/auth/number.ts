/** Numbers in the form that accounts store, and what stands for them: addresses and names. */
import { addressProblem, foldAddress, MAIL, NAME, splitName } from '@guildhall/wire/auth/address.ts'
import { CHINA, type Mobile, mobileProblem, readMobile } from '@guildhall/wire/auth/mobile.ts'
import { type FailureName, fail } from '@guildhall/wire/failure.ts'
import parsePhoneNumber from 'libphonenumber-js/max'

/** A number as rate limits count it. */
export const keyOf = ({ prefix, mobile }: Mobile): string => `${prefix} ${mobile}`

/**
 * A number as it is stored: digits only, no `+`. Numbers outside China must be possible ones of their
 * country. Or an address under `MAIL`, or a name with its digits under `NAME`.
 * @throws Failure auth.mobile_required, auth.mobile_wrong, auth.address_required, auth.address_wrong,
 *   auth.name_required
 */
export function readNumber(raw: Mobile): Mobile {
  if (raw.prefix === MAIL) return readAddress(raw.mobile)
  if (raw.prefix === NAME) return readNameLogin(raw.mobile)
  const { prefix, mobile } = readMobile(raw)
  const problem = mobileProblem({ prefix, mobile })
  if (problem) throw fail(problem)
  if (prefix === CHINA) return { prefix, mobile }
  const parsed = /^[1-9]\d{0,3}$/.test(prefix) ? parsePhoneNumber(`+${prefix}${mobile}`) : undefined
  if (!parsed?.isValid() || parsed.countryCallingCode !== prefix) throw fail('auth.mobile_wrong')
  // `07700 900123` and `7700 900123` are one British number: one account.
  return { prefix, mobile: parsed.nationalNumber }
}

function readAddress(typed: string): Mobile {
  const mobile = foldAddress(typed)
  const problem = addressProblem(mobile)
  if (problem) throw fail(problem)
  return { prefix: MAIL, mobile }
}

function readNameLogin(typed: string): Mobile {
  const name = splitName(typed)
  if (!name) throw fail('auth.name_required')
  return { prefix: NAME, mobile: `${name.username}#${name.digits}` }
}

/** What is said of a number, and of what stands for one. */
interface Said {
  readonly passwordWrong: FailureName
  readonly taken: FailureName
  readonly unknown: FailureName
  readonly unsent: FailureName
}

const ADDRESS: Said = {
  passwordWrong: 'auth.account_wrong',
  taken: 'auth.address_taken',
  unknown: 'auth.address_unknown',
  unsent: 'auth.mail_failed',
}
const PHONE: Said = {
  passwordWrong: 'auth.password_wrong',
  taken: 'auth.mobile_taken',
  unknown: 'auth.no_account',
  unsent: 'auth.sms_failed',
}

/** The refusals that are about a number, in its own words. */
export const saidOf = ({ prefix }: Pick<Mobile, 'prefix'>): Said =>
  prefix === MAIL || prefix === NAME ? ADDRESS : PHONE

/** Whether messages to it are SMS, which cost. */
export const isPhone = ({ prefix }: Pick<Mobile, 'prefix'>): boolean => prefix !== MAIL && prefix !== NAME

/**
 * Refuses numbers that are known not to be a mobile phone's, such as landlines and premium numbers: a message
 * to one costs and reaches nobody.
 * @throws Failure auth.mobile_wrong
 */
export function requireMobilePhone({ prefix, mobile }: Mobile): void {
  const type = parsePhoneNumber(`+${prefix}${mobile}`)?.getType()
  if (type !== 'MOBILE' && type !== 'FIXED_LINE_OR_MOBILE') throw fail('auth.mobile_wrong')
}
