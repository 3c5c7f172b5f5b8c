/**
 * The commands that documents print are run as printed, in their order, on a world in which people talk, pay
 * and are judged. What stands for a value is replaced by one of that world; what is in brackets may be left
 * out, so both are run. The Chinese pages print the same lines, which `scripts/languages.test.ts` checks.
 */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeCodes } from '@guildhall/wire/staff/codes.ts'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { openTestDatabase, type TestDatabase } from '../testing/database/database.ts'
import { KEYS_SECRET } from '../testing/keys.ts'
import { liveThrough } from '../testing/liveThrough.ts'
import { openPayWorld, type PayWorld } from '../testing/pay/payWorld.ts'
import { runCommand } from './cli.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
const COMMAND = 'npm run -s cli -- '
const DOCUMENTS = ['README.md', 'docs/operations.md', 'docs/bots.md', 'docs/payments.md']

/** Lines that are no commands of ours, each with what runs it. */
const ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [/^npm (?:start|test)\b/, 'every journey, and this run'],
  [/^PURCHASE_IN_BROWSER=1 npm start$/, 'e2e/order/shop.e2e.ts'],
  [/^(?:REGISTRATION=|curl .*\/dev\/mailbox)/, 'server/src/auth/ways/mail.pg.test.ts and name.pg.test.ts'],
  [/^npm run -s cli -- sandbox pay /, 'sandbox.pg.test.ts, beside a server'],
  [/^(?:git fetch|tar xzf) /, 'e2e/operations/release.e2e.ts'],
  [/^(?:install|sudo) /, 'e2e/operations/install.e2e.ts, by the unit'],
  [/^curl .*message\/create \\$|^ +-d '\{"target_id"/, 'server/src/message/message.pg.test.ts'],
]

interface Printed {
  readonly at: string
  readonly line: string
}

/** The lines of the fenced blocks of shell of a document, without their comments. */
function printedIn(file: string): Printed[] {
  const found: Printed[] = []
  let isShell = false
  for (const [index, text] of readFileSync(path.join(ROOT, file), 'utf8').split('\n').entries()) {
    if (text.startsWith('```')) isShell = text === '```sh'
    else if (isShell && text.trim() !== '')
      found.push({ at: `${file}:${index + 1}`, line: text.replace(/\s+#(?: .*)?$/, '') })
  }
  return found
}

/** A line without what is in brackets; when there is any, also with it. */
const variants = (line: string): string[] => {
  const without = line.replace(/ \[[^\]]*\]/g, '')
  return without === line ? [line] : [without, line.replace(/[[\]]/g, '')]
}

/** Arguments as a shell splits them. */
const split = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

let world: PayWorld
/** Databases into which backups are restored. */
const copies: TestDatabase[] = []
let directory: string
const at = (name: string) => path.join(directory, name)

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'guildhall-printed-'))
  world = await openPayWorld()
  await liveThrough(world)
  // One for each language: a later line ends the sessions of staff.
  for (const _ of DOCUMENTS) approvals.push(await waitingApproval())
  await writeFile(at('passphrase'), 'a long enough passphrase\n')
  await writeFile(at('words.txt'), '代打\n外挂\trefuse\tmessage\t作弊\n')
})
afterAll(async () => {
  await world?.close()
  for (const copy of copies) await copy.close()
  await rm(directory, { recursive: true, force: true })
})

/** The id that a command answered last. */
const answered = new Map<string, string>()
const lastOf = (command: string): string => {
  const id = answered.get(command)
  if (id === undefined) throw new Error(`${command} was not printed before`)
  return id
}
const one = async (query: RawBuilder<{ value: string }>): Promise<string> => {
  const [row] = (await query.execute(world.database.db)).rows
  if (!row) throw new Error('the world has none of it')
  return row.value
}
const failedJob = (column: 'name' | 'id') =>
  one(sql`
    with failed as (select id from jobs.job where state in ('created', 'failed') order by id limit 1)
    update jobs.job set state = 'failed' where id in (select id from failed) returning ${sql.ref(column)}::text as value`)

/**
 * What stands for a value, after the option that it belongs to; where it differs, by the command. Who is
 * deleted is nobody whom a later line needs.
 */
const VALUES: Readonly<Record<string, () => string | Promise<string>>> = {
  '--owner USER_ID': () => lastOf('user create'),
  '--guild GUILD_ID': () => lastOf('guild create'),
  '--channel CHANNEL_ID': () => lastOf('channel create'),
  '--role ROLE_ID': () =>
    one(
      sql`select role_id::text as value from role where guild_id = ${lastOf('guild create')} order by role_id desc limit 1`,
    ),
  '--bot BOT_ID': () => lastOf('bot create'),
  '--guild ID': () => world.guildId,
  '--user ID': () => world.idOf('muted'),
  '--user USER_ID': () => world.idOf('muted'),
  'user delete --user ID': async () => (await world.newcomer()).id,
  'user second-factor-off --user ID': () => world.idOf('staff'),
  'staff grant --user ID': () => world.idOf('admin'),
  'staff role --user ID': () => world.idOf('admin'),
  'member remove --user ID': () => world.idOf('admin'),
  'guild owner --user ID': () => world.idOf('member'),
  'guild close --guild ID': async () => {
    const made = (await run(['guild', 'create', '--name', '要关的公会', '--owner', world.idOf('owner')])) as {
      id: string
    }
    return made.id
  },
  '--message ID': async () => (await world.as('owner').say(world.main.id, '再见')).id,
  '--key assets/2026-11/NAME': () =>
    one(sql`select key as value from asset where key like 'assets/%' limit 1`),
  '--code CODE': async () => {
    const made = (await run(['invite', 'create', '--guild', world.guildId])) as { code: string }
    return made.code
  },
  '--batch ID': () => one(sql`select id::text as value from coupon_batch limit 1`),
  'review decide --id ID': () =>
    one(sql`
      with made as (
        insert into guild_revision (guild_id, user_id, name, icon, description, banner, created_at)
        select id, ${world.idOf('owner')}, name, '', '', '', 1 from guild where id = ${world.guildId}
        on conflict do nothing returning id, status)
      select id::text as value from made
      union select id::text from guild_revision where status = 0 limit 1`),
  'staff approve --id ID': () => approvals.pop()!,
  'product history --id ID': () => String(world.productId),
  'order show --id ID': () => one(sql`select id::text as value from "order" where state = 'granted' limit 1`),
  '--number ANY': () => one(sql`select trade_no as value from payment where state = 'paid' limit 1`),
  '--signature SIGNATURE': async () => {
    const [error] = (await run(['errors', 'count'])) as { signature: string }[]
    return error!.signature
  },
  '--queue NAME': () => failedJob('name'),
  '--job JOB_ID': () => failedJob('id'),
  '--reason TEXT': () => '广告',
  '--password NEW': () => 'another one 2',
  '--passphrase-file FILE': () => at('passphrase'),
  '--file words.txt': () => at('words.txt'),
  'backup /backup/guildhall.backup': () => at('guildhall.backup'),
  'backup verify /backup/guildhall.backup': () => at('guildhall.backup'),
  'restore /backup/guildhall.backup': () => at('guildhall.backup'),
  'backup before.backup': () => at('before.backup'),
}

const approvals: string[] = []
/** Codes of so much value that somebody else has to approve them. */
async function waitingApproval(): Promise<string> {
  const input = { product_id: world.productId, count: 100, per_user: 1, expires_at: 0, reason: '活动' }
  await world.as('staff').call(makeCodes, input)
  return one(
    sql`select id::text as value from staff_approval where state = 'waiting' order by id desc limit 1`,
  )
}

/** The arguments of a line with values of the world; the command by the words before its options. */
async function filled(
  args: readonly string[],
): Promise<{ readonly command: string; readonly args: string[] }> {
  const first = args.findIndex((each) => /^--|^\/|\./.test(each))
  const command = args.slice(0, first < 0 ? args.length : first).join(' ')
  const out: string[] = []
  for (const [index, each] of args.entries()) {
    const before = index > first ? `${args[index - 1]} ` : ''
    const value =
      VALUES[`${command} ${before}${each}`] ?? VALUES[`${before}${each}`] ?? VALUES[`${command} ${each}`]
    if (!value && /^[A-Z_]{2,}$/.test(each))
      throw new Error(`${command}: nothing stands for ${before}${each}`)
    out.push(value ? await value() : each)
  }
  return { command, args: out }
}

/** Where a command runs: one that makes or replaces something has an environment of its own. */
async function environmentOf(command: string, args: readonly string[]): Promise<Record<string, string>> {
  const restored = () => ({ DATABASE_URL: copies.at(-1)!.url, DATA_DIR: at('restored') })
  if (command === 'restore') {
    if (!args.includes('--yes')) copies.push(await openTestDatabase())
    return restored()
  }
  if (command === 'keys create') return { KEYS_SECRET: '', KEYS_FILE: at(`made-${copies.length}.keys`) }
  if (command !== 'keys rotate') return {}
  const file = at(`rotated-${copies.length}.keys`)
  await writeFile(file, `${KEYS_SECRET}\n`, { mode: 0o600 })
  return { ...restored(), KEYS_SECRET: '', KEYS_FILE: file }
}
const run = (args: readonly string[], environment: Record<string, string> = {}) =>
  runCommand(
    args,
    readConfig(
      {
        DATABASE_URL: world.database.url,
        DATA_DIR: at('data'),
        KEYS_SECRET,
        PAY_SANDBOX: '1',
        ...environment,
      },
      '/',
    ),
  )

describe.each(DOCUMENTS)('%s', (file) => {
  const printed = printedIn(file)
  const isElsewhere = ({ line }: Printed) => ELSEWHERE.some(([pattern]) => pattern.test(line))
  const commands = printed.filter((it) => it.line.startsWith(COMMAND) && !isElsewhere(it))

  it('prints nothing that is not run', () => {
    expect(printed.filter((it) => !commands.includes(it) && !isElsewhere(it))).toEqual([])
  })

  it.each(commands)('$at $line', async ({ line }) => {
    for (const variant of variants(line)) {
      const { command, args } = await filled(split(variant.slice(COMMAND.length)))
      const answer = (await run(args, await environmentOf(command, args))) as { id?: string } | null
      if (answer?.id !== undefined) answered.set(command, answer.id)
    }
  })
})
