/** Answers: media types, JSON. */
import type { Route } from '@guildhall/wire/route.ts'
import type { FastifyReply } from 'fastify'

export const mediaTypes = {
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  xml: 'text/xml; charset=utf-8',
  metrics: 'text/plain; version=0.0.4; charset=utf-8',
  manifest: 'application/manifest+json; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  png: 'image/png',
} as const

export function sendJson(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return reply
    .code(status)
    .type(mediaTypes.json)
    .header('cache-control', 'no-store')
    .send(JSON.stringify(body ?? {}))
}

/** Throws when an answer does not match its route's schema. */
export function checkAnswer(route: Route, answer: unknown): void {
  const parsed = route.answer.safeParse(answer ?? {})
  if (parsed.success) return
  const where = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
  throw new Error(`${route.method} ${route.path} answers what its contract does not say: ${where}`)
}
