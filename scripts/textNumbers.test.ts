/**
 * Texts say numbers and names that stand elsewhere: limits, lifetimes, ways of payment. They are made of
 * them; what people read is here, so that a changed limit shows where it is read.
 */
import path from 'node:path'
import type { FailureName } from '@guildhall/wire/failure.ts'
import { failureText } from '@guildhall/wire/failureText.ts'
import { expect, test } from 'vitest'

const ROOT = path.join(path.dirname(import.meta.dirname), 'web/src')

test.each([
  [
    'account/avatarText.ts',
    'why',
    '支持 JPG、PNG、WebP、GIF 图片，不超过 30M。BUFF 会员可以使用不超过 2M 的动图',
    'JPG, PNG, WebP or GIF, up to 30 MB. With BUFF it may move, up to 2 MB',
  ],
  ['account/avatarText.ts', 'tooLarge', '图片大小不能超过 30M', 'A picture may have up to 30 MB'],
  [
    'auth/change/changeText.ts',
    'digitsWhy',
    '4-8 位数字，显示在用户名之后，不能与同名用户重复。会员到期后显示原编号，续费后恢复；留空则恢复原编号',
    '4 to 8 digits behind your username, which nobody of the same name has. When BUFF ends, your old number shows; it comes back on renewal. Leave it empty for the old one',
  ],
  ['auth/change/changeText.ts', 'digitsWrong', '编号为 4-8 位数字', 'A number has 4 to 8 digits'],
  [
    'auth/owner/ownerText.ts',
    'passwordRule',
    '6-30 位字母和数字',
    '6 to 30 characters with letters and numbers',
  ],
  [
    'auth/secondFactor/secondFactorScreenText.ts',
    'offWhy',
    '开启后，登录时除了密码或短信验证码，还需要验证器应用中的 6 位动态验证码。即使密码或手机号被盗，他人也无法登录。',
    'When it is on, logging in needs 6 digits from an authenticator app besides your password or a text message. Whoever has your password or your number still cannot log in.',
  ],
  [
    'auth/secondFactor/secondFactorScreenText.ts',
    'setupWhy',
    '用验证器应用扫描二维码，再输入应用中显示的 6 位数字',
    'Scan the code with an authenticator app, then enter the 6 digits that it shows',
  ],
  [
    'auth/secondFactor/secondFactorText.ts',
    'why',
    '请输入验证器应用中显示的 6 位数字',
    'Enter the 6 digits that your authenticator app shows',
  ],
  [
    'boost/packsText.ts',
    'benefit2',
    '每个助力包使用后 30 天内有效',
    'Each pack lasts 30 days once it is used',
  ],
  [
    'boost/packsText.ts',
    'benefit3',
    '等级下降时有 3 天缓冲期，等级权益保留',
    'When a level drops, its rights stay for 3 more days',
  ],
  [
    'boost/packsText.ts',
    'helpWords',
    '购买后在这里或公会的助力页使用。使用后 30 天内有效，不能撤回。公会的等级由正在使用的助力包数量决定，到期后自动减少。',
    'Use them here or on the boost page of a guild. A used pack lasts 30 days and cannot be taken back. The level of a guild follows from the packs in use.',
  ],
  [
    'boost/statusText.ts',
    'graceWhy',
    '助力包减少后，等级会保留 3 天',
    'The level stays for 3 days after packs became fewer',
  ],
  ['buff/text.ts', 'upload', '100M 文件上传', 'Files of 100 MB'],
  ['buff/text.ts', 'note2', '支持微信支付和支付宝。', 'Pay by WeChat or Alipay.'],
  [
    'channel/owner/ownerText.ts',
    'dissolveRestorable',
    '所有成员都会立即离开。30 天内可以在“添加公会”里恢复，频道、消息和成员都会回来',
    'All members leave at once. Within 30 days you can restore it where guilds are added; channels, messages and members come back',
  ],
  ['invite/sharingText.ts', 'namePlaceholder', '1-30 个字符', '1 to 30 characters'],
  ['ui/picture/iconText.ts', 'tooLarge', '图片不能超过 30 MB', 'A picture may have 30 MB at most'],
  ['member/text.ts', 'nicknameWrong', '昵称需为 2 到 64 个字符', 'A nickname has 2 to 64 characters'],
  [
    'pay/text.ts',
    'unsupported',
    '当前应用不支持扫码支付，请使用微信或支付宝',
    'This app does not support scan pay, please use WeChat or Alipay',
  ],
  [
    'pay/text.ts',
    'unsupportedScan',
    '请用微信或支付宝扫描下方二维码',
    'Scan the code below with WeChat or Alipay',
  ],
  [
    'profile/text.ts',
    'iconTip',
    '支持 PNG、JPG、GIF，至少 128*128，不超过 5M',
    'PNG, JPG or GIF, at least 128*128, up to 5 MB',
  ],
  [
    'profile/text.ts',
    'bannerTip',
    '支持 PNG，建议最小尺寸 1024*600，比例 16:9，不超过 5M',
    'PNG is supported; at least 1024*600 is recommended, ratio 16:9, up to 5 MB',
  ],
  ['profile/text.ts', 'tooLarge', '图片大小不能超过 5M', 'Image size cannot exceed 5M'],
  ['realname/text.ts', 'numberHint', '18 位身份证号码', '18 digits'],
  [
    'report/text.ts',
    'messageWhy',
    '工作人员会看到这条消息，以及它前后各 3 条消息。对方不会知道是谁举报的。',
    'Staff will see this message, and up to 3 messages before it and after it. Nobody is told who reported it.',
  ],
  [
    'staff/guilds/guildsText.ts',
    'notRestorable',
    '已超过 30 天，无法恢复。',
    'More than 30 days ago: it cannot be restored.',
  ],
  [
    'staff/products/productsText.ts',
    'priceWrong',
    '请输入 0.01 到 100000 元之间的价格',
    'Enter a price from 0.01 to 100000 yuan',
  ],
  [
    'staff/products/productsText.ts',
    'originWrong',
    '请输入 0 到 100000 元之间的原价',
    'Enter a price from 0 to 100000 yuan',
  ],
  [
    'staff/reports/reportsText.ts',
    'gone',
    '举报时的内容已过保存期（处理后 30 天）',
    'What was reported is kept for 30 days after the decision',
  ],
  [
    'staff/text.ts',
    'secondFactorHint',
    '验证器应用中的 6 位数字，或一个恢复码',
    'The 6 digits of your authenticator app, or a recovery code',
  ],
])('%s: %s', async (file, key, chinese, english) => {
  const module: Record<string, unknown> = await import(path.join(ROOT, file))
  const tables = Object.values(module) as Readonly<Record<string, Readonly<Record<string, string>>>>[]
  const table = tables.find((it) => it.en && key in it.en)
  expect([table?.['zh-CN']?.[key], table?.en?.[key]]).toEqual([chinese, english])
})

test.each([
  ['auth.password_weak', '6-30 位字母和数字', '6 to 30 characters with letters and numbers'],
  ['user.number_wrong', '编号为 4-8 位数字', 'a number has 4 to 8 digits'],
  [
    'referral.late',
    '注册已超过 7 天，不能再填写邀请码',
    'an invite code can be entered within 7 days of registering',
  ],
  ['guild.name_wrong', '名称为 1-30 个字符', 'the name has 1 to 30 characters'],
  ['role.name_wrong', '角色名应为 1-64 个字符', 'a role has a name of 1 to 64 characters'],
  ['channel.name_wrong', '频道名应为 1-100 个字符', 'a channel has a name of 1 to 100 characters'],
  ['member.nickname_wrong', '昵称需为 2 到 64 个字符', 'a nickname has 2 to 64 characters'],
] satisfies [FailureName, string, string][])('refused with %s', (name, chinese, english) => {
  expect([failureText(name, 'zh-CN'), failureText(name, 'en')]).toEqual([chinese, english])
})
