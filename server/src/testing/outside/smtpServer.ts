/**
 * A mail server on this machine that speaks SMTP: EHLO, AUTH PLAIN and LOGIN, MAIL, RCPT, DATA. Written after
 * RFC 5321 and RFC 4954, not after our code. It takes mail only after a login, and keeps what it accepted.
 */
import { createServer, type Socket } from 'node:net'

/** The account that it knows. */
export const smtpAccount = { user: 'guildhall', password: 'mail-secret' } as const

/** A mail that was accepted, with its parts decoded. */
export interface AcceptedMail {
  readonly from: string
  readonly to: string
  /** Decoded. */
  readonly subject: string
  readonly headers: string
  readonly text: string
  readonly html: string
}

/** What it does instead: answers RCPT, or DATA, with this line, or stays silent from the greeting on. */
export type SmtpFault = { readonly rcpt: string } | { readonly data: string } | 'silent'

export interface SmtpServer {
  /** With the account. */
  readonly url: string
  readonly accepted: readonly AcceptedMail[]
  /** The next connections meet this; null: they meet nothing. */
  fault(next: SmtpFault | null): void
  close(): Promise<void>
}

const unpadded = (text: string) => Buffer.from(text, 'base64').toString('utf8')

export async function openSmtpServer(): Promise<SmtpServer> {
  const accepted: AcceptedMail[] = []
  const sockets = new Set<Socket>()
  let fault: SmtpFault | null = null
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    if (fault === 'silent') return
    serve(socket, fault, (mail) => accepted.push(mail))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `smtp://${smtpAccount.user}:${smtpAccount.password}@127.0.0.1:${port}`,
    accepted,
    fault(next) {
      fault = next
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

/** One connection. */
function serve(
  socket: Socket,
  fault: Exclude<SmtpFault, 'silent'> | null,
  onMail: (mail: AcceptedMail) => void,
): void {
  let input = ''
  let isLoggedIn = false
  let from: string | null = null
  let to: string | null = null
  /** What takes the next line instead of a command. */
  let expects: ((line: string) => void) | null = null
  const say = (line: string) => socket.write(`${line}\r\n`)
  const judge = (user: string, password: string) => {
    isLoggedIn = user === smtpAccount.user && password === smtpAccount.password
    say(isLoggedIn ? '235 2.7.0 welcome' : '535 5.7.8 credentials invalid')
  }
  const commands: Record<string, (rest: string) => void> = {
    EHLO: () => {
      say('250-mail.test greets you')
      say('250-AUTH PLAIN LOGIN')
      say('250 8BITMIME')
    },
    AUTH: (rest) => {
      const [kind = '', given = ''] = rest.split(' ')
      if (kind.toUpperCase() !== 'PLAIN') return void say('504 5.5.4 unknown mechanism')
      const [, user = '', password = ''] = unpadded(given).split('\0')
      judge(user, password)
    },
    MAIL: (rest) => {
      if (!isLoggedIn) return void say('530 5.7.0 authentication required')
      from = /^FROM:<([^>]+)>/i.exec(rest)?.[1] ?? null
      say(from === null ? '501 5.1.7 bad sender' : '250 2.1.0 ok')
    },
    RCPT: (rest) => {
      to = /^TO:<([^>]+)>$/i.exec(rest)?.[1] ?? null
      if (from === null) return void say('503 5.5.1 MAIL first')
      if (fault && 'rcpt' in fault) return void say(fault.rcpt)
      say(to === null ? '501 5.1.3 bad recipient' : '250 2.1.5 ok')
    },
    DATA: () => {
      if (from === null || to === null) return void say('503 5.5.1 RCPT first')
      const lines: string[] = []
      say('354 go on')
      expects = (line) => {
        if (line !== '.') return void lines.push(line.startsWith('.') ? line.slice(1) : line)
        expects = null
        if (fault && 'data' in fault) return void say(fault.data)
        onMail(readMail({ from: from ?? '', to: to ?? '' }, lines.join('\r\n')))
        say('250 2.0.0 queued')
      }
    },
    RSET: () => say('250 2.0.0 ok'),
    QUIT: () => {
      say('221 2.0.0 bye')
      socket.end()
    },
  }
  socket.on('data', (chunk) => {
    input += chunk.toString('utf8')
    for (let end = input.indexOf('\r\n'); end >= 0; end = input.indexOf('\r\n')) {
      const line = input.slice(0, end)
      input = input.slice(end + 2)
      if (expects) {
        expects(line)
        continue
      }
      const [, verb = '', rest = ''] = /^(\w+) ?(.*)$/.exec(line) ?? []
      const command = commands[verb.toUpperCase()]
      if (command) command(rest)
      else say('500 5.5.2 unknown command')
    }
  })
  say('220 mail.test ESMTP')
}

function readMail(envelope: { readonly from: string; readonly to: string }, source: string): AcceptedMail {
  const cut = source.indexOf('\r\n\r\n')
  const headers = source.slice(0, cut).replace(/\r\n[ \t]+/g, ' ')
  const field = (name: string, text = headers) =>
    new RegExp(`^${name}: (.*)$`, 'im').exec(text)?.[1]?.trim() ?? ''
  const boundary = /boundary="?([^";]+)"?/.exec(field('Content-Type'))?.[1] ?? ''
  const parts = source.slice(cut).split(`--${boundary}`)
  const part = (type: string) => {
    const found = parts.find((each) => new RegExp(`^Content-Type: ${type}`, 'im').test(each))
    if (!found) return ''
    const [head = '', ...body] = found.trimStart().split('\r\n\r\n')
    return decodeBody(body.join('\r\n\r\n'), field('Content-Transfer-Encoding', head)).replaceAll(
      '\r\n',
      '\n',
    )
  }
  return {
    ...envelope,
    headers,
    subject: decodeWords(field('Subject')),
    text: part('text/plain'),
    html: part('text/html'),
  }
}

function decodeBody(body: string, encoding: string): string {
  if (encoding === 'base64') return unpadded(body)
  return encoding === 'quoted-printable' ? decodeQuoted(body.replace(/=\r\n/g, '')) : body
}

const decodeQuoted = (text: string): string =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

/** RFC 2047. */
const decodeWords = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_whole, kind: string, word: string) =>
      kind.toUpperCase() === 'B' ? unpadded(word) : decodeQuoted(word.replaceAll('_', ' ')),
    )
