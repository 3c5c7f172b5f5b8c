import { contactWords } from '@guildhall/wire/auth/contactWords.ts'
import { waysIn } from '@guildhall/wire/auth/ways.ts'
import { useLocale } from '../i18n.ts'

/** What one proves here is called: a number, an address, or either. */
export const useContactWords = () => contactWords(waysIn(document.cookie), useLocale())
