/** The mail of a code: in both languages, since an address tells nothing of the person. */
import { CODE_LIVES_MS } from '@guildhall/wire/auth/auth.ts'
import { locales } from '@guildhall/wire/locale.ts'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import type { WriteMail } from '../../outside/mail/mail.ts'
import { authText } from '../text.ts'

const minutes = CODE_LIVES_MS / MINUTE_MS

/** What is written to an address with a code. */
export const writeCodeMail: WriteMail = ({ code }) => {
  const [first, ...others] = locales.map((locale) => authText[locale])
  const all = [first!, ...others]
  const paragraphs = all.map((t) => ({ lang: t.lang, lines: [t.mailCode(code), t.mailWhy(minutes)] }))
  return {
    subject: first!.mailSubject(code),
    text: paragraphs.map(({ lines }) => `${lines.join('\n')}\n`).join('\n'),
    html: `<!doctype html><html lang="${first!.lang}"><meta charset="utf-8"><body>${paragraphs
      .map(({ lang, lines: [said, why] }) => `<p lang="${lang}"><b>${said}</b><br>${why}</p>`)
      .join('')}</body></html>`,
  }
}
