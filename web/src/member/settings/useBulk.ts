import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import {
  createBan,
  createMute,
  deleteBan,
  kickOut,
  listMutes,
  muteType,
} from '@guildhall/wire/member/moderation.ts'
import { userList } from '@guildhall/wire/member/userList.ts'
import { grantRole, revokeRole } from '@guildhall/wire/role/role.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { useState } from 'react'
import { CallFailure, call } from '../../kit/call.ts'
import { invalidateRoute } from '../../kit/routeQuery.ts'
import { refreshMembers } from '../refreshMembers.ts'

export type ListedMember = AnswerOf<typeof userList>['items'][number]

/** People that may be acted on together. */
export const BULK_MAX = 50

/** What is done to several members. */
export type BulkAct =
  | { readonly kind: 'grant' | 'revoke'; readonly roleId: number }
  /** `seconds`: null: without an end. */
  | { readonly kind: 'mute'; readonly seconds: number | null }
  | { readonly kind: 'kick' }
  | { readonly kind: 'ban'; readonly remark: string; readonly deletedDays: number }

export interface Outcome {
  readonly member: ListedMember
  readonly state: 'waiting' | 'done' | 'refused' | 'undone'
  /** Why it was refused, in words; else empty. */
  readonly why: string
}

export interface Bulk {
  readonly act: BulkAct
  readonly outcomes: readonly Outcome[]
  readonly isBusy: boolean
}

function perform(guild_id: GuildId, act: BulkAct, id: UserId): Promise<unknown> {
  switch (act.kind) {
    case 'grant':
      return call(grantRole, { guild_id, user_id: id, role_id: act.roleId })
    case 'revoke':
      return call(revokeRole, { guild_id, user_id: id, role_id: act.roleId })
    case 'mute': {
      const ends = act.seconds !== null && { duration: act.seconds }
      return call(createMute, { guild_id, user_id: id, type: muteType.write, ...ends })
    }
    case 'kick':
      return call(kickOut, { guild_id, target_id: id })
    case 'ban': {
      const { remark, deletedDays } = act
      return call(createBan, { guild_id, target_id: id, remark, del_msg_days: deletedDays })
    }
  }
}

/** How an act on a member is undone; null: it cannot be, or it changed nothing. */
export function undoOf(guild_id: GuildId, act: BulkAct, { id, roles }: ListedMember) {
  const had = act.kind === 'grant' || act.kind === 'revoke' ? roles.includes(act.roleId) : false
  if (act.kind === 'grant' && !had) return () => perform(guild_id, { kind: 'revoke', roleId: act.roleId }, id)
  if (act.kind === 'revoke' && had) return () => perform(guild_id, { kind: 'grant', roleId: act.roleId }, id)
  if (act.kind === 'ban') return () => call(deleteBan, { guild_id, target_id: id })
  return null
}

/**
 * Acts on several members one after the other, each with its outcome: who is refused stops nobody else's.
 * `undo` takes back what can be, `again` repeats what was refused, `end` forgets the outcomes.
 */
export function useBulk(guildId: GuildId) {
  const [bulk, setBulk] = useState<Bulk | null>(null)
  const note = (id: UserId, change: Pick<Outcome, 'state' | 'why'>) =>
    setBulk(
      (now) =>
        now && {
          ...now,
          outcomes: now.outcomes.map((it) => (it.member.id === id ? { ...it, ...change } : it)),
        },
    )
  const each = async (
    outcomes: readonly Outcome[],
    perform: (member: ListedMember) => Promise<unknown> | undefined,
    state: 'done' | 'undone',
  ) => {
    for (const { member, state: before } of outcomes) {
      try {
        const performed = perform(member)
        if (!performed) continue
        await performed
        note(member.id, { state, why: '' })
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error
        // What is not undone is still done.
        note(member.id, { state: state === 'done' ? 'refused' : before, why: error.message })
      }
    }
    setBulk((now) => now && { ...now, isBusy: false })
    invalidateRoute(userList)
    invalidateRoute(listMutes)
    refreshMembers()
  }
  const start = (act: BulkAct, members: readonly ListedMember[]) => {
    const outcomes = members.map((member): Outcome => ({ member, state: 'waiting', why: '' }))
    setBulk({ act, outcomes, isBusy: true })
    return each(outcomes, ({ id }) => perform(guildId, act, id), 'done')
  }
  const again = () => {
    if (!bulk) return
    const refused = bulk.outcomes.filter(({ state }) => state === 'refused')
    setBulk({ ...bulk, isBusy: true })
    void each(refused, ({ id }) => perform(guildId, bulk.act, id), 'done')
  }
  const undo = () => {
    if (!bulk) return
    const done = bulk.outcomes.filter(({ state }) => state === 'done')
    setBulk({ ...bulk, isBusy: true })
    void each(done, (member) => undoOf(guildId, bulk.act, member)?.(), 'undone')
  }
  return { bulk, start, again, undo, end: () => setBulk(null) }
}
