/**
 * Members of guilds: what other nouns know of them. Their lists are in `lists.ts`, who is one in
 * `membership.ts`.
 */
export { ALL_MEMBERS, listMembers, type MemberLists, userList } from './lists.ts'
export {
  countMembers,
  everyBot,
  everyGuild,
  everyMembership,
  forgetMember,
  isMember,
  join,
  joinOwn,
  leave,
  leaveGuild,
  memberDays,
  membersByTag,
  membershipsOf,
  namedMembers,
  notifyRestored,
  notifySomeGuildsOf,
  removeMember,
  requireMayJoin,
  setNickname,
  shareGuild,
  someMembershipsOf,
  trimMemberDays,
} from './membership.ts'
export type { NamedMember } from './membershipSql.ts'
export { deleteBannedJob, endMutes, endMutesJob, everyBan, forgetMutes, muteByRule } from './moderation.ts'
export { isBanned } from './moderationSql.ts'
export { indexSomeMembers, membersInOrder, peopleCalled, searchMembers } from './nameSearch.ts'
export type { FoundRow } from './nameSearchSql.ts'
export { createGuild } from './newGuild.ts'
export { forgetNotes } from './notes/notes.ts'
export { PresenceEvents } from './presenceEvents.ts'
export { Rosters } from './rosters.ts'
