/** No act that manages a guild is forgotten: each call and event of guilds has its types, or a reason. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { AUDIT_TYPES, type AuditType } from '@guildhall/wire/audit/audit.ts'
import { events } from '@guildhall/wire/events.ts'
import { routes } from '@guildhall/wire/routes.ts'
import { expect, test } from 'vitest'

/** What is written down of it, or why nothing is. */
type Written = readonly AuditType[] | string

const OWN = 'people do it to themselves, and the guild sees it'
const TALK = 'it is talk, and not management'
const OFFER = 'it is between two people until it is accepted'
const NOTE = 'who sees the log may be the one whom the note is about'
const READING = 'it changes nothing, or what one person sees'

const CALLS: Readonly<Record<string, Written>> = {
  'guild.acceptTransfer': ['owner_changed'],
  'guild.cancelTransfer': OFFER,
  'guild.offerGuild': OFFER,
  'guild.createGuild': 'the guild begins with it',
  'guild.deleteGuild': ['guild_deleted'],
  'guild.leaveGuild': OWN,
  'guild.restoreGuild': ['guild_restored'],
  'role.copyRole': ['role_created'],
  'role.createRole': ['role_created'],
  'role.deleteRole': ['role_deleted'],
  'role.grantRole': ['role_granted'],
  'role.moveRole': ['role_moved'],
  'role.restoreRole': ['role_restored'],
  'role.revokeRole': ['role_revoked'],
  'role.updateRole': ['role_updated'],
  'onboarding.acceptRules': OWN,
  'onboarding.chooseRole': OWN,
  'onboarding.closeChecklist': READING,
  'onboarding.postRoles': TALK,
  'onboarding.updateOnboarding': ['onboarding_updated'],
  'emoji.createGuildEmoji': ['emoji_created'],
  'emoji.deleteGuildEmoji': ['emoji_deleted'],
  'emoji.updateGuildEmoji': ['emoji_renamed'],
  'channel.copyChannel': ['channel_created'],
  'channel.createChannel': ['channel_created'],
  'channel.createOverwrite': ['overwrite_created'],
  'channel.deleteChannel': ['channel_deleted'],
  'channel.deleteOverwrite': ['overwrite_deleted'],
  'channel.kickVoiceUser': 'nobody is in a voice channel',
  'channel.moveChannel': ['channel_moved'],
  'channel.moveVoiceUsers': 'nobody is in a voice channel',
  'channel.restoreChannel': ['channel_restored'],
  'channel.syncOverwrites': ['overwrites_synced'],
  'channel.updateChannel': ['channel_updated', 'channel_moved'],
  'channel.updateOverwrite': ['overwrite_created', 'overwrite_updated'],
  'member.createBan': ['member_banned', 'role_deleted'],
  'member.createMute': ['member_muted', 'member_deafened'],
  'member.createNote': NOTE,
  'member.deleteNote': NOTE,
  'member.updateNote': NOTE,
  'member.deleteBan': ['member_unbanned'],
  'member.deleteMute': ['member_unmuted', 'member_undeafened'],
  'member.previewPrune': READING,
  'member.pruneMembers': ['members_pruned'],
  'member.kickOut': ['member_kicked', 'role_deleted'],
  'member.setNickname': ['member_renamed'],
  'bot.addBot': ['bot_added', 'role_created', 'role_granted'],
  'bot.createBot': ['bot_added', 'role_created', 'role_granted'],
  'bot.deleteBot': ['bot_removed', 'role_deleted'],
  'bot.removeBot': ['bot_removed', 'role_deleted'],
  'bot.renewBotToken': 'the guild does not see it',
  'bot.updateBot': OWN,
  'invite.createInvite': ['invite_created'],
  'invite.deleteInvite': ['invite_revoked'],
  'invite.joinGuild': ['raid_began'],
  'invite.setCustomId': ['guild_updated'],
  'message.addReaction': TALK,
  'message.checkCard': READING,
  'message.clearGuild': READING,
  'message.clearUnread': READING,
  'message.clickButton': TALK,
  'message.createChannelMessage': TALK,
  'message.createMessage': TALK,
  'message.deleteMessage': ['message_deleted'],
  'message.deleteReaction': TALK,
  'message.pinMessage': ['message_pinned'],
  'message.sendToChannel': TALK,
  'message.setNotifyType': READING,
  'message.unpinMessage': ['message_unpinned'],
  'message.updateMessage': TALK,
  'moderation.createFilter': ['rule_created'],
  'moderation.createRule': ['rule_created'],
  'moderation.decideGuildHeld': ['held_passed', 'held_rejected'],
  'moderation.deleteFilter': ['rule_deleted'],
  'moderation.deleteRule': ['rule_deleted'],
  'moderation.liftPause': ['raid_lifted'],
  'moderation.tryRule': READING,
  'moderation.updateFilter': ['rule_updated'],
  'moderation.updateRule': ['rule_updated'],
  'boost.useBoosts': ['guild_boosted'],
  'profile.deleteBanner': ['guild_updated'],
  'profile.joinDiscoverable': OWN,
  'profile.updateGuild': ['guild_updated'],
  'profile.updateGuildSettings': ['guild_updated'],
  'profile.updateRecommended': ['guild_update_sent'],
}

const EVENTS: Readonly<Record<string, Written>> = {
  add_guild_mute: ['member_muted', 'member_deafened'],
  added_block_list: ['member_banned'],
  added_channel: ['channel_created', 'channel_restored'],
  added_emoji: ['emoji_created'],
  added_reaction: TALK,
  added_role: ['role_created', 'role_restored'],
  delete_guild_mute: ['member_unmuted', 'member_undeafened'],
  deleted_block_list: ['member_unbanned'],
  deleted_channel: ['channel_deleted'],
  deleted_emoji: ['emoji_deleted'],
  deleted_guild: ['guild_closed', 'guild_deleted'],
  deleted_message: ['message_deleted'],
  deleted_reaction: TALK,
  deleted_role: ['role_deleted'],
  embeds_append: TALK,
  exited_guild: ['member_kicked', 'members_pruned', 'bot_removed'],
  joined_guild: ['bot_added'],
  pinned_message: ['message_pinned'],
  removed_emoji: ['emoji_deleted'],
  sort_channel: ['channel_moved'],
  unpinned_message: ['message_unpinned'],
  updated_channel: [
    'channel_updated',
    'overwrite_created',
    'overwrite_updated',
    'overwrite_deleted',
    'overwrites_synced',
  ],
  updated_emoji: ['emoji_renamed'],
  updated_guild: [
    'guild_updated',
    'guild_update_sent',
    'guild_update_refused',
    'guild_recommended',
    'guild_unrecommended',
    'guild_boosted',
    'owner_changed',
    'onboarding_updated',
  ],
  updated_guild_member: ['role_granted', 'role_revoked', 'member_renamed'],
  updated_guild_user: OWN,
  updated_held: ['held_passed', 'held_rejected'],
  updated_message: TALK,
  updated_notes: NOTE,
  updated_role: ['role_updated', 'role_moved'],
}

/** The nouns whose calls change guilds. */
const OF_GUILDS =
  /^(?:guild|role|onboarding|emoji|channel|member|bot|invite|message|moderation|profile|boost)\./

test('every call that changes a guild is written down, or it is said why not', () => {
  const calls = [...routes].filter(([name, { method }]) => method !== 'GET' && OF_GUILDS.test(name))
  expect(Object.keys(CALLS).toSorted()).toEqual(calls.map(([name]) => name).toSorted())
})

test('what causes an event of a guild is written down, or it is said why not', () => {
  const ofGuilds = [...events.values()].filter(({ to }) => to !== 'person').map(({ name }) => name)
  expect(Object.keys(EVENTS).toSorted()).toEqual(ofGuilds.toSorted())
})

test('every type is one that a rule writes', async () => {
  const root = path.join(import.meta.dirname, '..')
  const files = (await readdir(root, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !file.includes('test'),
  )
  const source = (await Promise.all(files.map((file) => readFile(path.join(root, file), 'utf8')))).join('\n')
  expect(AUDIT_TYPES.filter((type) => !source.includes(`'${type}'`))).toEqual([])
})
