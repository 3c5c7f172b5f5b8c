/**
 * What the database of a server has that people live on and pay at: tests of backups and of upgrades need all
 * of it.
 */

import { updateSelf } from '@guildhall/wire/auth/owner.ts'
import { beijingDay } from '@guildhall/wire/beijing.ts'
import { useBoosts } from '@guildhall/wire/boost/boost.ts'
import { createBot } from '@guildhall/wire/bot/bot.ts'
import { updateOverwrite } from '@guildhall/wire/channel/overwrite.ts'
import { addPrivateReaction, createPrivate } from '@guildhall/wire/chat/chat.ts'
import { exchangeCoupon } from '@guildhall/wire/coupon/coupon.ts'
import { listGuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import { blockPerson } from '@guildhall/wire/friend/friend.ts'
import { writePersonNote } from '@guildhall/wire/friend/personNote.ts'
import { offerGuild } from '@guildhall/wire/guild/transfer.ts'
import { joinGuild } from '@guildhall/wire/invite/invite.ts'
import { myInviteCodes } from '@guildhall/wire/invite/referral.ts'
import { createBan, createMute, muteType } from '@guildhall/wire/member/moderation.ts'
import { createNote } from '@guildhall/wire/member/note.ts'
import { addReaction } from '@guildhall/wire/message/action.ts'
import { createMessage, sendToChannel } from '@guildhall/wire/message/message.ts'
import { clearUnread } from '@guildhall/wire/message/readMark.ts'
import { setNotifyType } from '@guildhall/wire/message/setNotify.ts'
import { createRule } from '@guildhall/wire/moderation/moderation.ts'
import { updateOnboarding } from '@guildhall/wire/onboarding/onboarding.ts'
import type { PayWay } from '@guildhall/wire/payWay.ts'
import { updateGuild } from '@guildhall/wire/profile/profile.ts'
import { createReport } from '@guildhall/wire/report/report.ts'
import { createRole, deleteRole } from '@guildhall/wire/role/role.ts'
import { logClientError } from '@guildhall/wire/site/clientLog.ts'
import { makeCodes } from '@guildhall/wire/staff/codes.ts'
import { changeGuildOwner } from '@guildhall/wire/staff/guilds.ts'
import { giveBuff } from '@guildhall/wire/staff/people.ts'
import {
  changeStaffProduct,
  listStaffProducts,
  withdrawProductChange,
} from '@guildhall/wire/staff/products.ts'
import { decideReport, listReports } from '@guildhall/wire/staff/reports.ts'
import { addWord } from '@guildhall/wire/staff/words.ts'
import { DAY_MS, MINUTE_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { countGrowth } from '../growth/growth.ts'
import { clock, replaceClock } from '../kit/clock.ts'
import { refundOrder, startPayment } from '../pay/pay.ts'
import { reconcileDay } from '../pay/reconcile/reconcile.ts'
import { advanceRenewals } from '../renewal/renewal.ts'
import { newNumber } from './calls.ts'
import type { PayWorld } from './pay/payWorld.ts'
import { pngOf } from './picture.ts'

/**
 * People talk, report and are judged; staff ask for what waits; they buy in every way, are given money back,
 * sign a contract, redeem codes and use boosts.
 */
export async function liveThrough(world: PayWorld): Promise<void> {
  await talk(world)
  await countSaid(world)
  await moderate(world)
  await buy(world)
  await fromOutside(world)
  expect(await world.faults()).toEqual([])
}

/** Counts what was said just now, as the server does some seconds later. */
async function countSaid(world: PayWorld): Promise<void> {
  const now = clock.now()
  const moveBack = replaceClock(() => now + MINUTE_MS)
  await countGrowth(world.database.db)
  moveBack()
}

async function talk(world: PayWorld): Promise<void> {
  const { guildId, main, invite } = world
  await world.befriend('owner', 'member')
  const { msg_id } = await world
    .as('owner')
    .call(createPrivate, { target_id: world.idOf('member'), content: '在吗' })
  await world.as('member').call(addPrivateReaction, { msg_id, emoji: '👍' })
  await world.as('member').call(blockPerson, { user_id: world.idOf('outsider') })
  await world.as('member').call(writePersonNote, { user_id: world.idOf('owner'), note: '会长，同城' })
  const said = await world.as('owner').say(main.id, '晚上八点')
  await world.as('member').call(addReaction, { msg_id: said.id, emoji: '🎉' })
  const { items: own } = await world.as('member').call(listGuildEmoji, { guild_id: guildId })
  await world.as('member').call(addReaction, { msg_id: said.id, emoji: own[0]!.id })
  await world.as('member').call(clearUnread, { channel_id: main.id, msgid: said.id })
  await world.as('member').call(setNotifyType, { guild_id: guildId, channel_id: main.id, notify_type: 2 })
  await world.as('member').call(updateSelf, { cert_name: '司马无名', cert_code: '110105199001010029' })
  await world.as('member').call(myInviteCodes)
  const { url } = await world.as('owner').upload(await pngOf(40, 40, '#3355aa'), 'a.png')
  await world.as('owner').call(createMessage, { target_id: main.id, content: url, type: 2 })
  const quiet = { target_id: main.id, content: '只有你看到', temp_target_id: world.idOf('member') }
  await world.as('owner').call(createMessage, quiet)
  const where = { channel_id: main.id, type: 'user_id', value: world.idOf('member') }
  await world.as('owner').call(updateOverwrite, { ...where, allow: 1 << 11 })
  const error = { name: 'TypeError', message: 'x is undefined', stack: '' }
  await world.as('member').call(logClientError, {
    user: { id: '', username: '' },
    location: '/channels',
    errorEvent: { filename: 'app.js', error },
  })
  const newcomer = await world.newcomer()
  await newcomer.call(joinGuild, { code: invite })
  await world.askCode(newNumber())
}

async function moderate(world: PayWorld): Promise<void> {
  const { guildId, main } = world
  const staff = world.as('staff')
  const spam = await world.as('member').say(main.id, '加群领皮肤')
  await world
    .as('admin')
    .call(createReport, { kind: 'message', id: spam.id, category: 'spam', words: '广告' })
  const [open] = (await staff.call(listReports, {})).items
  await staff.call(decideReport, { id: Number(open!.id), outcome: 'acted', reason: '广告' })
  await staff.call(addWord, { word: '微信', action: 'hold', places: ['message'], note: '', reason: '广告' })
  const held = { id: main.id, content: '加我微信', nonce: 'held' }
  expect(await world.as('member').refusal(sendToChannel, held)).toBe('content.held')
  await staff.call(giveBuff, { user_id: world.idOf('muted'), days: 3, reason: '补偿' })
  const acts = [{ type: 'delete' }]
  const rule = { guild_id: guildId, name: '不许发链接', kind: 'link', acts, switch: true }
  await world.as('owner').call(createRule, rule)
  const link = { id: main.id, content: 'evil.com' }
  expect(await world.as('member').refusal(sendToChannel, link)).toBe('moderation.link')
  const owner = { guild_id: guildId, user_id: world.idOf('member'), reason: '会长失联' }
  await staff.call(changeGuildOwner, owner)
  const mute = { guild_id: guildId, user_id: world.idOf('admin'), type: muteType.write, duration: 3600 }
  await world.as('owner').call(createMute, mute)
  await world
    .as('owner')
    .call(createBan, { guild_id: guildId, target_id: world.idOf('outsider'), remark: '广告' })
  const note = { guild_id: guildId, user_id: world.idOf('outsider'), content: '第二次了' }
  await world.as('owner').call(createNote, note)
  // The work of a removal is done in the background: here it is over.
  await sql`insert into guild_prune
      (guild_id, user_id, silent_days, role_ids, started_at, touched_at, total, removed, ended_at)
    values (${guildId}, ${world.idOf('owner')}, 30, '{}', 1, 2, 1, 1, 2)`.execute(world.database.db)
  await world.as('owner').call(updateGuild, { id: guildId, desc: '每晚八点' })
  const { role_id } = await world.as('owner').call(createRole, { guild_id: guildId, name: '临时' })
  await world.as('owner').call(deleteRole, { guild_id: guildId, role_id })
  await world.as('owner').call(createBot, { guild_id: guildId, name: '迎宾' })
  await world.as('owner').call(updateOnboarding, { guild_id: guildId, rules: [{ title: '友善' }] })
  await world.as('owner').call(offerGuild, { guild_id: guildId, user_id: world.idOf('member') })
}

async function buy(world: PayWorld): Promise<void> {
  const pay = async (name: 'member' | 'owner' | 'admin', way: PayWay, order: object = {}) => {
    const { order_id } = await world.placeOrder(name, order)
    await world.control({ tradeNo: await world.start(order_id, way) })
    await world.work()
    expect((await world.view(name, order_id)).state).toBe('granted')
    return order_id
  }
  const back = await pay('member', 'wechat')
  await pay('owner', 'alipay')
  await pay('owner', 'wechat', { user_id: world.idOf('member') })
  await refundOrder(world.deps, back, {
    fee: null,
    reason: '不想要了',
    actor: `staff:${world.idOf('staff')}`,
  })
  await world.work()
  await world.placeOrder('admin')
  const boosts = await world.addProduct({ kind: 'boost', name: '助力包', details: { packs: 1 } })
  await pay('admin', 'alipay', { product_id: boosts, count: 3 })
  await world.as('admin').call(useBoosts, { guild_id: world.guildId, count: 2 })

  const staff = world.as('staff')
  const { codes } = await staff.call(makeCodes, {
    product_id: world.productId,
    count: 2,
    per_user: 1,
    expires_at: 0,
    reason: '活动',
  })
  await world.as('member').call(exchangeCoupon, { code: codes[0] })
  const [product] = (await staff.call(listStaffProducts, {})).items
  const dearer = { product_id: product!.id, price: product!.price + 100, reason: '调价' }
  await staff.call(changeStaffProduct, dearer)
  const later = { ...dearer, price: product!.price + 200, valid_from: Date.now() + DAY_MS }
  const { change_id } = await staff.call(changeStaffProduct, later)
  await staff.call(withdrawProductChange, { change_id: Number(change_id), reason: '不调了' })

  const monthly = await world.addProduct({ name: 'BUFF 连续包月', price: 1200, period_buy: true })
  const { order_id } = await world.placeOrder('member', { product_id: monthly })
  const start = { way: 'wechat', scene: 'qr', clientIp: '127.0.0.1', returnUrl: 'http://localhost/' } as const
  await startPayment(world.deps, order_id, start)
  await world.control({ contract: { do: 'sign' }, way: 'wechat' })
  await advanceRenewals(world.deps)
  await world.work()
  // The next period is charged on the day before it.
  world.later((await world.buffOf('member')) - Date.now() - DAY_MS / 2)
  await advanceRenewals(world.deps)
  await world.work()
  await reconcileDay(world.deps, 'wechat', beijingDay(Date.now()))
  world.now()
}

/** What providers and operators bring, whose dialogues have tests of their own. */
async function fromOutside(world: PayWorld): Promise<void> {
  const { db } = world.database
  const owner = world.idOf('owner')
  await sql`
    insert into third_party (provider, openid, user_id, created_at)
    values ('qq', 'openid of a member', ${world.idOf('member')}, 1)`.execute(db)
  await sql`insert into provider_grant (name, value, expires_at) values ('weixin ticket', 'ticket', 1)`.execute(
    db,
  )
  await sql`
    insert into pay_doubt (way, why, trade_no, provider_no, facts, at)
    values ('wechat', 'other_sum', 'trade', 'provider', '{"fee": 1}', 1)`.execute(db)
  await sql`
    insert into bill_difference (way, day, what, kind, trade_no, refund_no, there, found_at)
    values ('wechat', '2026-01-01', 'unknown_here', 'payment', 'trade', '', 1, 1)`.execute(db)
  await sql`insert into guild_team (guild_id, user_id) values (${world.guildId}, ${owner})`.execute(db)
  await sql`
    insert into guild_revision (guild_id, user_id, name, icon, description, banner, created_at)
    values (${world.guildId}, ${owner}, '星海', '', '每晚九点', '', 1)`.execute(db)
}
