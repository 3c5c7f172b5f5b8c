/** What a password must be, wherever one is set. chat.md §5 "Set password". */
export const PASSWORD_LENGTH = { least: 6, most: 30 }

/**
 * Whether a password may be set: 6 to 30 characters with a letter and a digit at least. Older ones still log
 * in.
 */
export function isPassword(password: string): boolean {
  const { length } = [...password.normalize('NFC')]
  const isLongEnough = length >= PASSWORD_LENGTH.least && length <= PASSWORD_LENGTH.most
  return isLongEnough && /\p{L}/u.test(password) && /\d/.test(password)
}
