/**
 * The identifiers of protocol.md §1.7. Each has a brand, so that a channel's id cannot be passed
 * where a guild's is expected. On the wire all but `RoleId` are text.
 */
import { int, type Schema, text, z } from './schema.ts'
import { foldCode } from './typed.ts'

declare const brand: unique symbol
type Branded<T, Name extends string> = T & { readonly [brand]: Name }

export type UserId = Branded<string, 'user'>
export type GuildId = Branded<string, 'guild'>
export type ChannelId = Branded<string, 'channel'>
export type MessageId = Branded<string, 'message'>
export type InviteCode = Branded<string, 'invite'>
/** Whole number, 0 is everyone (@全体成员). */
export type RoleId = number

const DECIMAL = /^[1-9]\d{0,15}$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const INVITE = /^[0-9A-Za-z]{6,32}$/

/** A number of the database, as text. */
export const decimal = z.pipe(text(16), z.string().check(z.regex(DECIMAL)))

export const userId = decimal as unknown as Schema<UserId>
export const guildId = decimal as unknown as Schema<GuildId>
export const channelId = decimal as unknown as Schema<ChannelId>
/** A UUID. The validator's own check of them is larger. */
export const uuid = z.string().check(z.regex(UUID))
export const messageId = uuid as unknown as Schema<MessageId>
/** People type it, too. */
export const inviteCode = z.pipe(
  text(1024, 0, foldCode),
  z.string().check(z.regex(INVITE)),
) as unknown as Schema<InviteCode>
export const roleId = int(0, 0xffffffff)

/** True for the shape of an invite code, without looking it up. */
export const isInviteCode = (value: string): value is InviteCode => INVITE.test(value)
