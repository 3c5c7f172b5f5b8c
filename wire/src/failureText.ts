/** The texts of the error catalogue. copy.md; `{name}` is filled from the refusal's detail. */
import type { FailureDetail, FailureName } from './failure.ts'
import type { Locale } from './locale.ts'

const failureTexts: Readonly<Record<Locale, Readonly<Record<FailureName, string>>>> = {
  'zh-CN': {
    bad_input: '请求参数有误',
    bad_json: 'json格式不正确',
    not_logged_in: '未登录',
    forbidden: '服务器错误：未授权的访问',
    not_found: '找不到资源',
    too_large: '请求内容过大',
    too_many: '操作过于频繁，请稍后再试',
    internal: '发生错误',
    unavailable: '服务暂时不可用，请稍后再试',

    'captcha.needed': '请输入验证码',
    'captcha.wrong': '验证未通过，请再试一次',
    'captcha.expired': '验证已失效，请重新验证',
    'captcha.too_many': '验证次数过多，请稍后再试',

    'auth.mobile_required': '请输入手机号码',
    'auth.mobile_wrong': '手机号码不正确',
    'auth.prefix_refused': '暂不支持该国家或地区的手机号码',
    'auth.code_required': '请输入验证码',
    'auth.code_wrong': '验证码错误',
    'auth.code_expired': '验证码已失效，请重新获取',
    'auth.code_too_soon': '{n} 秒后重新发送',
    'auth.code_too_many': '获取验证码过于频繁，请稍后再试',
    'auth.sms_failed': '验证码发送失败，请稍后再试',
    'auth.password_wrong': '手机号或密码错误',
    'auth.password_required': '请输入密码',
    'auth.password_weak': '6-30 位字母和数字',
    'auth.mobile_taken': '该手机号已被其他账号使用',
    'auth.no_account': '该手机号还没有注册，请使用验证码登录',
    'auth.too_many_tries': '尝试次数过多，请稍后再试',
    'auth.banned': '该账号已被封禁',
    'auth.bind_needed': '请绑定手机号',
    'auth.bind_other': '该手机号已绑定其他账号',
    'auth.bind_expired': '绑定已失效，请重新登录',
    'auth.third_part_off': '暂不支持该登录方式',
    'auth.third_part_state': '登录未完成或已失效，请重新登录',
    'auth.third_part_refused': '授权已失效，请重新登录',
    'auth.third_part_failed': '第三方登录暂时不可用，请稍后再试',
    'auth.page_elsewhere': '请求参数有误',

    'user.unknown': '用户不存在',
    'user.name_required': '请输入用户名',
    'user.name_wrong': '用户名格式错误',
    'user.owns_guilds': '你还有 {n} 个公会，请先转让或解散',

    'asset.missing': '请选择要上传的文件',
    'asset.too_large': '文件大小不能超过 {mb}M',
    'asset.not_image': '请检查文件格式',
    'asset.too_many_pixels': '图片尺寸过大',
    'asset.daily_limit': '今天上传的文件已达到 {mb}M，请明天再试',
    'asset.guild_daily_limit': '该公会今天的文件已达到 {mb}M，请明天再试',
    'asset.no_space': '暂时无法上传文件，请稍后再试',
    'asset.unknown': '找不到资源',

    'invite.invalid': '邀请无效',
    'invite.expired': '邀请已过期',
    'invite.full': '邀请次数已用完',

    'referral.invalid': '邀请码无效',
    'referral.own': '不能使用自己的邀请码',
    'referral.late': '注册已超过 7 天，不能再填写邀请码',
    'referral.recorded': '你已经接受过邀请',

    'guild.unknown': '公会不存在',
    'guild.not_member': '该用户不在该公会内',
    'guild.banned': '你已被该公会封禁',
    'guild.owner': '会长不能离开自己的公会',
    'guild.not_closed': '该公会没有被关闭，或已超过恢复期限',

    'emoji.unknown': '表情不存在',
    'emoji.no_right': '你没有管理表情的权限',
    'emoji.full': '公会表情已达上限 {most} 个',
    'emoji.name_wrong': '表情名称为 2 到 32 个文字、数字、短横线或下划线',
    'emoji.too_large': '表情文件大小不能超过 {kb}K',
    'emoji.not_image': '表情只支持 PNG 和 GIF 图片',

    'channel.unknown': '频道不存在',

    'chat.unknown': '私聊不存在',
    'chat.not_allowed': '你们没有共同的公会，不能发送私信',
    'chat.unanswered': '对方回复之前，最多只能发送 {n} 条私信',

    'message.empty': '消息内容不能为空',
    'message.too_long': '消息内容过长',
    'message.kind_refused': '不支持的消息类型',
    'message.not_allowed': '你没有在该频道发送消息的权限',
    'message.unknown': '消息不存在',
    'message.target_unknown': '该用户看不到这个频道',
    'message.template_unknown': '消息模板不存在',
    'message.deleted': '消息已被删除',
    'message.not_author': '只能编辑自己的消息',
    'message.no_right': '你没有权限进行此操作',
    'message.emoji_unknown': '不支持的表情',
    'message.reactions_full': '这条消息的表情回应种类已达上限',

    'card.invalid': '卡片消息json没有通过验证：{at} ({why})',
    'card.no_button': '该按钮已失效',

    'message.pins_full': '置顶消息已达上限',
  },
  en: {
    bad_input: 'invalid request',
    bad_json: 'malformed JSON',
    not_logged_in: 'not logged in',
    forbidden: 'server error: unauthorized access',
    not_found: 'not found',
    too_large: 'request too large',
    too_many: 'too many requests, try again later',
    internal: 'error occurred',
    unavailable: 'temporarily unavailable',

    'captcha.needed': 'please enter verification code',
    'captcha.wrong': 'that was not right, please try again',
    'captcha.expired': 'the check has expired, please do it again',
    'captcha.too_many': 'too many checks, try again later',

    'auth.mobile_required': 'please enter phone number',
    'auth.mobile_wrong': 'phone number incorrect',
    'auth.prefix_refused': 'phone numbers of this country or region are not supported yet',
    'auth.code_required': 'please enter verification code',
    'auth.code_wrong': 'wrong verification code',
    'auth.code_expired': 'verification code expired, get a new one',
    'auth.code_too_soon': '{n} seconds to resend',
    'auth.code_too_many': 'too many verification codes, try again later',
    'auth.sms_failed': 'the verification code could not be sent, try again later',
    'auth.password_wrong': 'wrong mobile number or password',
    'auth.password_required': 'please enter password',
    'auth.password_weak': '6 to 30 characters with letters and numbers',
    'auth.mobile_taken': 'another account has this mobile number',
    'auth.no_account': 'this number has no account yet: log in with a verification code',
    'auth.too_many_tries': 'too many tries, try again later',
    'auth.banned': 'this account is banned',
    'auth.bind_needed': 'please bind a mobile number',
    'auth.bind_other': 'this mobile number is bound to another account',
    'auth.bind_expired': 'this has expired, please log in again',
    'auth.third_part_off': 'this way to log in is not available',
    'auth.third_part_state': 'the login was not finished or has expired, please log in again',
    'auth.third_part_refused': 'the authorization has expired, please log in again',
    'auth.third_part_failed': 'third-party login is temporarily unavailable, try again later',
    'auth.page_elsewhere': 'invalid request',

    'user.unknown': 'no such user',
    'user.name_required': 'please enter username',
    'user.name_wrong': 'username format error',
    'user.owns_guilds': 'this account owns {n} guilds: give them away or close them first',

    'asset.missing': 'choose a file to upload',
    'asset.too_large': 'file size cannot exceed {mb}M',
    'asset.not_image': 'please check the file format',
    'asset.too_many_pixels': 'the picture has too many pixels',
    'asset.daily_limit': 'you uploaded {mb}M of files today, please try again tomorrow',
    'asset.guild_daily_limit': 'this guild got {mb}M of files today, please try again tomorrow',
    'asset.no_space': 'files cannot be uploaded right now, please try again later',
    'asset.unknown': 'no such file',

    'invite.invalid': 'invite invalid',
    'invite.expired': 'invite expired',
    'invite.full': 'this invite has been used up',

    'referral.invalid': 'this invite code is not valid',
    'referral.own': 'you cannot use your own invite code',
    'referral.late': 'an invite code can be entered within 7 days of registering',
    'referral.recorded': 'you have accepted an invite already',

    'guild.unknown': 'no such guild',
    'guild.not_member': 'not a member of this guild',
    'guild.banned': 'you are banned from this guild',
    'guild.owner': 'the owner cannot leave their own guild',
    'guild.not_closed': 'this guild was not closed, or too long ago',

    'emoji.unknown': 'no such emoji',
    'emoji.no_right': 'you have no permission to manage emoji',
    'emoji.full': 'a guild holds at most {most} emoji',
    'emoji.name_wrong': 'a name has 2 to 32 letters, digits, dashes or underscores',
    'emoji.too_large': 'file size cannot exceed {kb}K',
    'emoji.not_image': 'an emoji is a PNG or a GIF',

    'channel.unknown': 'no such channel',

    'chat.unknown': 'no such conversation',
    'chat.not_allowed': 'you share no guild, so you cannot write to each other',
    'chat.unanswered': 'you can send at most {n} messages until they answer',

    'message.empty': 'the message is empty',
    'message.too_long': 'the message is too long',
    'message.kind_refused': 'this kind of message is not supported',
    'message.not_allowed': 'you have no permission to send messages in this channel',
    'message.unknown': 'no such message',
    'message.target_unknown': 'this person does not see the channel',
    'message.template_unknown': 'no such template',
    'message.deleted': 'the message was deleted',
    'message.not_author': 'you can only edit your own messages',
    'message.no_right': 'you have no permission to do this',
    'message.emoji_unknown': 'this is no emoji',
    'message.reactions_full': 'this message has all the reactions it can hold',

    'card.invalid': 'the card is invalid: {at} ({why})',
    'card.no_button': 'this button is of no use any more',

    'message.pins_full': 'this channel has all the pinned messages it can hold',
  },
}

/** The text of a refusal, its `{placeholders}` filled from the detail. */
export const failureText = (name: FailureName, locale: Locale, detail: FailureDetail = {}): string =>
  failureTexts[locale][name].replace(/\{(\w+)\}/g, (whole, key: string) =>
    key in detail ? wordsOf(name, locale, key, detail[key]) : whole,
  )

/** A detail as text: why a card is broken is a name, which has words of its own. */
const wordsOf = (name: FailureName, locale: Locale, key: string, value: unknown): string =>
  (name === 'card.invalid' && key === 'why' && cardProblems[locale][String(value)]) || String(value)

/** Why a card is broken, by the names of `WhyBroken` in card/card.ts. */
const cardProblems: Readonly<Record<Locale, Readonly<Record<string, string>>>> = {
  'zh-CN': {
    json: '不是 JSON',
    shape: '结构不正确',
    missing: '缺少此项',
    unknown: '没有这种模块、元素或选项',
    value: '值不正确',
    few: '数量不足',
    many: '数量过多',
    long: '内容过长',
    past: '时间已过',
    place: '不能用在此处',
  },
  en: {
    json: 'not JSON',
    shape: 'wrong shape',
    missing: 'missing',
    unknown: 'no such module, element or option',
    value: 'wrong value',
    few: 'too few',
    many: 'too many',
    long: 'too long',
    past: 'the time is over',
    place: 'not allowed here',
  },
}
