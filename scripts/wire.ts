import type { EventKind } from '@guildhall/wire/event.ts'
import { type FailureName, failures } from '@guildhall/wire/failure.ts'
import { failureText } from '@guildhall/wire/failureText.ts'
import { locales } from '@guildhall/wire/locale.ts'
import { pathParams, type Route } from '@guildhall/wire/route.ts'
import { type Schema, z } from '@guildhall/wire/schema.ts'

interface JsonSchema {
  readonly type?: string
  readonly properties?: Record<string, JsonSchema>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly maxLength?: number
  readonly maximum?: number
  readonly $ref?: string
}

const DEEPEST = 3

/** `docs/wire.md`, whole: every call, event and failure of the contract. */
export function wirePage(
  version: number,
  routes: ReadonlyMap<string, Route>,
  events: ReadonlyMap<string, EventKind>,
): string {
  return `# The wire

Version ${version}. Printed from \`wire/src\` by \`node scripts/docs.ts\`; do not edit it by hand.

v2 calls answer bare data and refuse by HTTP status with \`{code, message, error}\`; v3 calls answer
\`{code, message, data}\`, and a refusal that is not the framework's own is HTTP 200 with a code other than 0 and its name in
\`data.error\`. A session's token goes into \`Authorization\` as it is. Numbers may arrive as text and text as numbers; unknown
fields are ignored. Calls that may make an account take a header \`X-Client-Source\`, where their user comes from: 0 other, 1 microblog,
2 video site, 3 messaging app, 4 the product itself, 5 voice chat app, 6 in-app browser of a chat app.

## Calls

${[...routes].map(([name, route]) => callSection(name, route)).join('\n')}
## Events

System events (\`type\` 255) carry their name in \`extra.type\` and this in \`extra.body\`. Messages are not system events.

| event | receivers | body |
|---|---|---|
${[...events.values()].map((it) => `| \`${it.name}\` | ${it.isFor ? moderators[it.to] : receivers[it.to]} | ${inline(shapeOf(it.body))} |`).join('\n')}

## Failures

| name | code | HTTP (v2) | ${locales.join(' | ')} |
|---|---|---|${'---|'.repeat(locales.length)}
${Object.entries(failures)
  .map(
    ([name, it]) =>
      `| \`${name}\` | ${it.code} | ${it.status} | ${locales.map((locale) => cell(failureText(name as FailureName, locale))).join(' | ')} |`,
  )
  .join('\n')}
`
}

/** Of events that not all of them receive. */
const moderators = {
  channel: 'those who may manage messages in the channel',
  guild: 'the moderators of the guild',
  person: '',
}

const receivers = {
  channel: 'those who may view the channel',
  guild: 'every member',
  person: 'the person alone',
} as const

const callers = ({ who, right }: Route): string =>
  ({
    anyone: 'anyone',
    user: 'needs a session',
    person: 'needs a session that is no bot’s',
    staff: `staff with the right \`${right}\``,
  })[who]

function callSection(name: string, route: Route): string {
  const inPath = new Set(pathParams(route.path))
  const input = shapeOf(route.input)
  const rows = Object.entries(input.properties ?? {}).map(([field, schema]) => {
    const where = inPath.has(field) ? 'path' : route.method === 'GET' ? 'query' : route.form ? 'form' : 'body'
    const must = schema.default === undefined && input.required?.includes(field)
    const fallback = schema.default === undefined ? '' : `, default \`${JSON.stringify(schema.default)}\``
    return `| \`${field}\` | ${where} | ${inline(schema)}${fallback} | ${must ? 'yes' : ''} |`
  })
  if (route.form) rows.unshift(`| \`${route.form}\` | form | a file | yes |`)
  const fails = route.fails.map((each: FailureName) => `\`${each}\``).join(', ')
  return `### ${name}

\`${route.method} ${route.path}\` · ${route.dialect} · ${callers(route)}

${rows.length > 0 ? `| field | in | shape | needed |\n|---|---|---|---|\n${rows.join('\n')}\n\n` : ''}Answers ${inline(shapeOf(route.answer))}
${fails ? `\nRefuses with ${fails}.\n` : ''}`
}

const shapeOf = (schema: Schema): JsonSchema =>
  z.toJSONSchema(schema, {
    io: 'output',
    unrepresentable: 'any',
    reused: 'inline',
    cycles: 'ref',
  }) as JsonSchema

/** A shape in one line of a table. */
function inline(schema: JsonSchema, depth = 0): string {
  return cell(`\`${describeSchema(schema, depth)}\``)
}

function describeSchema(schema: JsonSchema, depth: number): string {
  if (schema.$ref) return 'the same again'
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' or ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.map((each) => describeSchema(each, depth)).join(' or ')
  if (schema.type === 'array') return `[${describeSchema(schema.items ?? {}, depth)}]`
  if (schema.type === 'object') {
    const fields = Object.entries(schema.properties ?? {})
    if (fields.length === 0) return '{}'
    if (depth >= DEEPEST) return '{…}'
    return `{${fields.map(([name, each]) => `${name}: ${describeSchema(each, depth + 1)}`).join(', ')}}`
  }
  return schema.type ?? 'anything'
}

const cell = (text: string): string => text.replaceAll('|', '\\|')
