/** What stands for a person where no number does: an address for mail, or a name with its digits. */
import { foldDashed, readName } from '../words.ts'
import type { Mobile } from './mobile.ts'

/**
 * What an address and a name have where numbers have their dialing prefix. Longer than a prefix may be in any
 * call, so that no number is taken for one.
 */
export const MAIL = 'mailto:'
export const NAME = 'name#1234'

export const ADDRESS_MAX = 254

/** An address as accounts store it: in small letters, without spaces and what nobody sees. */
/* @__NO_SIDE_EFFECTS__ */
export const foldAddress = (typed: string): string => foldDashed(typed).toLowerCase()

const ATOM = "[\\w!#$%&'*+/=?^`{|}~-]+"
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const ADDRESS = new RegExp(`^(?=.{1,64}@)${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`)

/** Why an address is none, or null. */
export function addressProblem(address: string): 'auth.address_required' | 'auth.address_wrong' | null {
  if (address === '') return 'auth.address_required'
  return address.length <= ADDRESS_MAX && ADDRESS.test(address) ? null : 'auth.address_wrong'
}

/** A name and the digits behind it, as `name#1234` has them; null: it is none. */
export function splitName(typed: string): { readonly username: string; readonly digits: string } | null {
  const [, username, digits] = /^(.+)#(\d{4,10})$/.exec(readName(typed.normalize('NFKC'))) ?? []
  return username && digits ? { username, digits } : null
}

/** An address, or else a name with its digits, in the form of a number. */
export function readAccount(typed: string): Mobile {
  const address = foldAddress(typed)
  if (addressProblem(address) === null) return { prefix: MAIL, mobile: address }
  const name = splitName(typed)
  return { prefix: NAME, mobile: name ? `${name.username}#${name.digits}` : typed.trim() }
}
