/** Forwarding a message to a channel or a person. */
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, MessageId, UserId } from '@guildhall/wire/id.ts'
import type { Caller } from '../kit/http/binding.ts'
import type { Limits } from '../kit/limits/rateLimit.ts'
import {
  type Forwarded,
  forwardedFrom,
  forwardedOf,
  limitSends,
  type SendPipeline,
  send as sendToChannel,
} from '../message/message.ts'
import { sideOf } from './access.ts'
import { type Sent, send } from './send.ts'
import * as rows from './sql.ts'
import type { ChatContext } from './wireForm.ts'

export interface ForwardDeps {
  readonly appContext: ChatContext
  readonly limits: Limits
  readonly pipeline: SendPipeline
}

/**
 * Sends a message that the caller sees once more, in their own name. Idempotent by nonce, as every send.
 * @throws Failure bad_input (no target, or two), message.unknown, chat.unknown, message.kind_refused, and
 *   what sends throw
 */
export async function forward(
  { appContext, limits, pipeline }: ForwardDeps,
  caller: Caller,
  input: {
    readonly msgId: MessageId
    readonly chatCode: string | undefined
    readonly channelId: ChannelId | undefined
    readonly userId: UserId | undefined
    readonly nonce: string
    readonly origin: string
  },
): Promise<Sent> {
  const target = input.channelId ?? input.userId
  if (target === undefined || (input.channelId !== undefined && input.userId !== undefined))
    throw fail('bad_input', { fields: ['to_channel_id'] })
  await limitSends(limits, caller, target)
  const forwarded = await sourceOf(appContext, caller.userId, input)
  const message = {
    ...forwarded,
    file: forwarded.file ?? undefined,
    nonce: input.nonce,
    origin: input.origin,
  }
  if (input.channelId === undefined)
    return send(appContext, caller.userId, { ...message, code: undefined, targetId: input.userId })
  const sent = await sendToChannel(
    appContext,
    caller.userId,
    { ...message, channelId: input.channelId },
    pipeline,
  )
  return { id: sent.id, at: sent.create_at, nonce: sent.nonce }
}

async function sourceOf(
  appContext: ChatContext,
  userId: UserId,
  { msgId, chatCode }: { readonly msgId: MessageId; readonly chatCode: string | undefined },
): Promise<Forwarded> {
  if (chatCode === undefined) return forwardedFrom(appContext, userId, msgId)
  await sideOf(appContext.db, userId, chatCode)
  const row = await rows.table.byId(appContext.db, userId, chatCode, msgId)
  if (!row) throw fail('message.unknown')
  return forwardedOf(row)
}
