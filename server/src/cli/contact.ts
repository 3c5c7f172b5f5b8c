/** The number or the address of somebody, in commands. */
import { MAIL } from '@guildhall/wire/auth/address.ts'
import { CHINA, type Mobile } from '@guildhall/wire/auth/mobile.ts'
import { readNumber } from '../auth/auth.ts'
import { OperatorError } from '../kit/operatorError.ts'
import type { Options } from './command.ts'

/**
 * What `--mobile`, with `--prefix`, or `--address` say; undefined: neither is given.
 * @throws OperatorError for both; Failure auth.mobile_wrong, auth.address_wrong and the like
 */
export function contactIn({ mobile, prefix = CHINA, address }: Options): Mobile | undefined {
  if (mobile !== undefined && address !== undefined)
    throw new OperatorError('An account has a number or an address: give --mobile or --address.')
  if (address !== undefined) return readNumber({ prefix: MAIL, mobile: address })
  return mobile === undefined ? undefined : readNumber({ prefix, mobile })
}

/** As an answer of a command has it. */
export function contactFields({ prefix, mobile }: Mobile) {
  if (prefix === MAIL) return { address: mobile }
  return mobile === '' ? {} : { prefix, mobile }
}

/** As a line names it. */
export const shownContact = ({ prefix, mobile }: Mobile): string =>
  prefix === MAIL ? `The address ${mobile}` : `The number +${prefix} ${mobile}`
