/** Names of people, and the digits behind them. In a file of its own: the invite needs none of it. */
import { isNameOf } from '../words.ts'

const NAME_MAX = 30

/** A name has 1 to 30 characters and no white space. chat.md §5. */
export const isName = (name: string): boolean => isNameOf(name, 1, NAME_MAX) && !name.includes(' ')

/**
 * What is wrong with a name that somebody entered; null: nothing. chat.md §5 "Username on old registration".
 */
export function nameProblem(name: string): 'user.name_required' | 'user.name_wrong' | null {
  if (name === '') return 'user.name_required'
  return isName(name) ? null : 'user.name_wrong'
}

/** How many digits a member of BUFF may choose. commerce.md §9 "what BUFF brings". */
export const CHOSEN_NUMBER_LENGTH = { least: 4, most: 8 }
export const isChosenNumber = (digits: string): boolean =>
  /^\d+$/.test(digits) &&
  digits.length >= CHOSEN_NUMBER_LENGTH.least &&
  digits.length <= CHOSEN_NUMBER_LENGTH.most
