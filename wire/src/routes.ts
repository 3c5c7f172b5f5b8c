/** All calls of the contract. */
import * as account from './account/account.ts'
import * as asset from './asset/asset.ts'
import * as audit from './audit/audit.ts'
import * as auth from './auth/auth.ts'
import * as devices from './auth/devices.ts'
import * as linked from './auth/linked.ts'
import * as login from './auth/login.ts'
import * as mail from './auth/mail.ts'
import * as name from './auth/name.ts'
import * as owner from './auth/owner.ts'
import * as secondFactor from './auth/secondFactor.ts'
import * as thirdParty from './auth/thirdParty.ts'
import * as userState from './auth/userState.ts'
import * as boost from './boost/boost.ts'
import * as settings from './boost/settings.ts'
import * as bot from './bot/bot.ts'
import * as buff from './buff/buff.ts'
import * as captcha from './captcha/captcha.ts'
import * as channel from './channel/channel.ts'
import * as overwrite from './channel/overwrite.ts'
import * as publicChannel from './channel/publicChannel.ts'
import * as rooms from './channel/rooms.ts'
import * as chat from './chat/chat.ts'
import * as forward from './chat/forward.ts'
import * as chatPage from './chat/page.ts'
import * as coupon from './coupon/coupon.ts'
import * as emoji from './emoji/emoji.ts'
import * as emojiManage from './emoji/manage.ts'
import * as friend from './friend/friend.ts'
import * as personNote from './friend/personNote.ts'
import * as gateway from './gateway/gateway.ts'
import * as golive from './golive/golive.ts'
import * as growth from './growth/growth.ts'
import * as deletion from './guild/deletion.ts'
import * as guild from './guild/guild.ts'
import * as ownGuild from './guild/ownGuild.ts'
import * as publicGuild from './guild/publicGuild.ts'
import * as transfer from './guild/transfer.ts'
import * as invite from './invite/invite.ts'
import * as inviteCard from './invite/inviteCard.ts'
import * as invites from './invite/manage.ts'
import * as referral from './invite/referral.ts'
import * as shortAddresses from './invite/shortAddress.ts'
import * as member from './member/member.ts'
import * as memberAct from './member/moderation.ts'
import * as memberNote from './member/note.ts'
import * as memberPerson from './member/person.ts'
import * as memberPrune from './member/prune.ts'
import * as memberList from './member/userList.ts'
import * as act from './message/action.ts'
import * as activity from './message/activity.ts'
import * as card from './message/card.ts'
import * as clearGuild from './message/clearGuild.ts'
import * as mention from './message/mention.ts'
import * as message from './message/message.ts'
import * as pin from './message/pin.ts'
import * as reactors from './message/reactors.ts'
import * as reading from './message/readMark.ts'
import * as setNotify from './message/setNotify.ts'
import * as filter from './moderation/filter.ts'
import * as moderation from './moderation/moderation.ts'
import * as onboarding from './onboarding/onboarding.ts'
import * as order from './order/order.ts'
import * as pay from './pay/pay.ts'
import * as discovery from './profile/discovery.ts'
import * as profile from './profile/profile.ts'
import * as guildSettings from './profile/settings.ts'
import * as renewal from './renewal/renewal.ts'
import * as report from './report/report.ts'
import * as role from './role/role.ts'
import type { Route } from './route.ts'
import * as screening from './screening/screening.ts'
import * as search from './search/search.ts'
import * as clientLog from './site/clientLog.ts'
import * as site from './site/site.ts'
import * as staffApprovals from './staff/approvals.ts'
import * as staffCodes from './staff/codes.ts'
import * as staffGuilds from './staff/guilds.ts'
import * as staffLog from './staff/log.ts'
import * as staffMessageSearch from './staff/messageSearch.ts'
import * as staffNumbers from './staff/numbers.ts'
import * as staffOrders from './staff/orders.ts'
import * as staffPeople from './staff/people.ts'
import * as staffProducts from './staff/products.ts'
import * as staffReports from './staff/reports.ts'
import * as staffReviews from './staff/reviews.ts'
import * as staffSession from './staff/session.ts'
import * as staff from './staff/staff.ts'
import * as staffWaiting from './staff/waiting.ts'
import * as words from './staff/words.ts'
import * as userMe from './user/me.ts'
import * as user from './user/user.ts'

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'dialect' in value && 'path' in value

/** Every route by `noun.name`: nouns in the order of the layers, names alphabetically. */
export const routes: ReadonlyMap<string, Route> = new Map(
  Object.entries({
    user: { ...userMe, ...user },
    captcha,
    auth: {
      ...auth,
      ...login,
      ...mail,
      ...name,
      ...devices,
      ...linked,
      ...owner,
      ...secondFactor,
      ...thirdParty,
      ...userState,
    },
    asset,
    friend: { ...friend, ...personNote },
    audit,
    guild: { ...guild, ...ownGuild, ...deletion, ...transfer, ...publicGuild },
    role,
    onboarding,
    emoji: { ...emoji, ...emojiManage },
    channel: { ...channel, ...publicChannel, ...overwrite, ...rooms },
    member: { ...member, ...memberAct, ...memberList, ...memberNote, ...memberPrune, ...memberPerson },
    invite: { ...invite, ...inviteCard, ...invites, ...shortAddresses, ...referral },
    message: {
      ...message,
      ...act,
      ...card,
      ...mention,
      ...setNotify,
      ...pin,
      ...reactors,
      ...reading,
      ...clearGuild,
      ...activity,
    },
    chat: { ...chat, ...chatPage, ...forward },
    screening,
    moderation: { ...moderation, ...filter },
    search,
    order,
    pay,
    buff,
    boost: { ...settings, ...boost },
    golive,
    renewal,
    coupon,
    account,
    bot,
    growth,
    profile: { ...profile, ...guildSettings, ...discovery },
    report,
    staff: {
      ...staff,
      ...staffSession,
      ...staffApprovals,
      ...staffLog,
      ...staffWaiting,
      ...staffOrders,
      ...staffProducts,
      ...staffNumbers,
      ...staffPeople,
      ...staffGuilds,
      ...staffCodes,
      ...staffReports,
      ...staffMessageSearch,
      ...staffReviews,
      ...words,
    },
    site: { ...site, ...clientLog },
    gateway,
  }).flatMap(([noun, module]) =>
    Object.entries(module)
      .filter((entry): entry is [string, Route] => isRoute(entry[1]))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]): [string, Route] => [`${noun}.${name}`, value]),
  ),
)
