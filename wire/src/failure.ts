/**
 * The error catalogue. A refusal has a name; code, HTTP status and words hang on the name, and nobody decides
 * anything by the words. chat.md §8, protocol.md §1.4.
 */
interface Entry {
  /** The number in the body. protocol.md §1.4. */
  readonly code: number
  /** The HTTP status of the v2 dialect; v3 keeps it only for the framework's own errors. protocol.md §1.3. */
  readonly status: number
  readonly zh: string
  readonly en: string
  /** The form field it belongs under, if any. chat.md §5. */
  readonly field?: string
}

const entries = {
  bad_input: { code: 40000, status: 400, zh: '请求参数有误', en: 'invalid request' },
  bad_json: { code: 40000, status: 400, zh: 'json格式不正确', en: 'malformed JSON' },
  not_logged_in: { code: 401, status: 401, zh: '未登录', en: 'not logged in' },
  forbidden: { code: 403, status: 403, zh: '你没有权限进行此操作', en: 'you may not do this' },
  not_found: { code: 404, status: 404, zh: '找不到资源', en: 'not found' },
  too_large: { code: 413, status: 413, zh: '请求内容过大', en: 'request too large' },
  too_many: {
    code: 429,
    status: 429,
    zh: '操作过于频繁，请稍后再试',
    en: 'too many requests, try again later',
  },
  internal: { code: 500, status: 500, zh: '发生错误', en: 'error occurred' },
  unavailable: { code: 503, status: 503, zh: '服务暂时不可用，请稍后再试', en: 'temporarily unavailable' },

  'auth.mobile_required': {
    code: 40000,
    status: 400,
    zh: '请输入手机号码',
    en: 'please enter phone number',
    field: 'mobile',
  },
  'auth.mobile_wrong': {
    code: 40000,
    status: 400,
    zh: '手机号码不正确',
    en: 'phone number incorrect',
    field: 'mobile',
  },
  'auth.code_required': {
    code: 40000,
    status: 400,
    zh: '请输入验证码',
    en: 'please enter verification code',
    field: 'code',
  },
  'auth.code_wrong': {
    code: 40000,
    status: 400,
    zh: '验证码错误',
    en: 'wrong verification code',
    field: 'code',
  },
  'auth.code_expired': {
    code: 40000,
    status: 400,
    zh: '验证码已失效，请重新获取',
    en: 'verification code expired, get a new one',
    field: 'code',
  },
  'auth.code_too_soon': {
    code: 40000,
    status: 400,
    zh: '{n} 秒后重新发送',
    en: '{n} seconds to resend',
    field: 'code',
  },
  'auth.code_too_many': {
    code: 40000,
    status: 400,
    zh: '获取验证码过于频繁，请稍后再试',
    en: 'too many verification codes, try again later',
    field: 'code',
  },
  'auth.sms_failed': {
    code: 40000,
    status: 400,
    zh: '验证码发送失败，请稍后再试',
    en: 'the verification code could not be sent, try again later',
    field: 'code',
  },
  'auth.password_wrong': {
    code: 40000,
    status: 400,
    zh: '手机号或密码错误',
    en: 'wrong mobile number or password',
    field: 'password',
  },
  'auth.password_required': {
    code: 40000,
    status: 400,
    zh: '请输入密码',
    en: 'please enter password',
    field: 'password',
  },
  'auth.too_many_tries': {
    code: 40000,
    status: 400,
    zh: '尝试次数过多，请稍后再试',
    en: 'too many tries, try again later',
  },
  'auth.banned': { code: 40000, status: 400, zh: '该账号已被封禁', en: 'this account is banned' },

  'asset.missing': { code: 40000, status: 400, zh: '请选择要上传的文件', en: 'choose a file to upload' },
  /** `detail.mb`: how large a file may be here, MB. */
  'asset.too_large': {
    code: 40014,
    status: 413,
    zh: '文件大小不能超过 {mb}M',
    en: 'file size cannot exceed {mb}M',
  },
  'asset.not_image': { code: 40000, status: 400, zh: '请检查文件格式', en: 'please check the file format' },
  'asset.too_many_pixels': {
    code: 40014,
    status: 400,
    zh: '图片尺寸过大',
    en: 'the picture has too many pixels',
  },
  /** Also somebody else's, and one of another kind. protocol.md §1.4. */
  'asset.unknown': { code: 40000, status: 400, zh: '找不到资源', en: 'no such file' },

  'invite.invalid': { code: 40000, status: 400, zh: '邀请无效', en: 'invite invalid' },
  'invite.expired': { code: 40000, status: 400, zh: '邀请已过期', en: 'invite expired' },
  'invite.full': { code: 40000, status: 400, zh: '邀请次数已用完', en: 'this invite has been used up' },

  'guild.unknown': { code: 40000, status: 400, zh: '服务器不存在', en: 'no such server' },
  'guild.not_member': {
    code: 40000,
    status: 400,
    zh: '该用户不在该服务器内',
    en: 'not a member of this server',
  },
  'guild.banned': {
    code: 40000,
    status: 400,
    zh: '你已被该服务器封禁',
    en: 'you are banned from this server',
  },

  'emoji.unknown': { code: 40000, status: 400, zh: '表情不存在', en: 'no such emoji' },
  'emoji.no_right': {
    code: 40300,
    status: 400,
    zh: '你没有管理表情的权限',
    en: 'you have no permission to manage emoji',
  },
  /** `detail.most`: how many a guild may have. */
  'emoji.full': {
    code: 40000,
    status: 400,
    zh: '服务器表情已达上限 {most} 个',
    en: 'a server holds at most {most} emoji',
  },
  'emoji.name_wrong': {
    code: 40000,
    status: 400,
    zh: '表情名称为 2 到 32 个文字、数字、短横线或下划线',
    en: 'a name has 2 to 32 letters, digits, dashes or underscores',
    field: 'name',
  },
  /** `detail.kb`: how large its file may be, KB. */
  'emoji.too_large': {
    code: 40014,
    status: 413,
    zh: '表情文件大小不能超过 {kb}K',
    en: 'file size cannot exceed {kb}K',
  },
  'emoji.not_image': {
    code: 40000,
    status: 400,
    zh: '表情只支持 PNG 和 GIF 图片',
    en: 'an emoji is a PNG or a GIF',
  },
  'channel.unknown': { code: 40000, status: 400, zh: '频道不存在', en: 'no such channel' },

  'chat.unknown': { code: 40000, status: 400, zh: '私聊不存在', en: 'no such conversation' },
  'chat.not_allowed': {
    code: 40300,
    status: 400,
    zh: '你们没有共同的服务器，不能发送私信',
    en: 'you share no server, so you cannot write to each other',
  },

  'message.empty': { code: 40011, status: 400, zh: '消息内容不能为空', en: 'the message is empty' },
  'message.too_long': { code: 40011, status: 400, zh: '消息内容过长', en: 'the message is too long' },
  'message.kind_refused': {
    code: 40011,
    status: 400,
    zh: '不支持的消息类型',
    en: 'this kind of message is not supported',
  },
  /** `detail.why`: `unverified`, `readonly` or `no_permission`. */
  'message.not_allowed': {
    code: 40300,
    status: 400,
    zh: '你没有在该频道发送消息的权限',
    en: 'you have no permission to send messages in this channel',
  },
  'message.unknown': { code: 40000, status: 400, zh: '消息不存在', en: 'no such message' },
  /** Words for one person who is no member, or does not see the channel. */
  'message.target_unknown': {
    code: 40000,
    status: 400,
    zh: '该用户看不到这个频道',
    en: 'this person does not see the channel',
  },
  'message.template_unknown': { code: 40000, status: 400, zh: '消息模板不存在', en: 'no such template' },
  'message.deleted': { code: 40000, status: 400, zh: '消息已被删除', en: 'the message was deleted' },
  'message.not_author': {
    code: 40300,
    status: 400,
    zh: '只能编辑自己的消息',
    en: 'you can only edit your own messages',
  },
  /** Deleting, reacting or pinning where the permission bit for it is missing. */
  'message.no_right': {
    code: 40300,
    status: 400,
    zh: '你没有权限进行此操作',
    en: 'you have no permission to do this',
  },
  'message.emoji_unknown': { code: 40000, status: 400, zh: '不支持的表情', en: 'this is no emoji' },
  'message.reactions_full': {
    code: 40000,
    status: 400,
    zh: '这条消息的表情回应种类已达上限',
    en: 'this message has all the reactions it can hold',
  },
  /** `detail.at`: the path of what is wrong, `[0].modules[3]`; `detail.why`: a word of `WhyBroken`. */
  'card.invalid': {
    code: 40000,
    status: 400,
    zh: '卡片消息json没有通过验证：{at} ({why})',
    en: 'the card is invalid: {at} ({why})',
  },
  'card.no_button': { code: 40000, status: 400, zh: '该按钮已失效', en: 'this button is of no use any more' },
  'message.pins_full': {
    code: 40000,
    status: 400,
    zh: '置顶消息已达上限',
    en: 'this channel has all the pinned messages it can hold',
  },
} as const satisfies Record<string, Entry>

export type FailureName = keyof typeof entries
export type Language = 'zh' | 'en'
/** What a refusal adds to its name: numbers for placeholders, the fields concerned, the reason's reason. */
export type FailureDetail = Readonly<Record<string, unknown>>

export const failures: Readonly<Record<FailureName, Entry>> = entries

export const isFailureName = (name: unknown): name is FailureName =>
  typeof name === 'string' && Object.hasOwn(entries, name)

/** Names whose HTTP status survives in the v3 dialect. protocol.md §1.3. */
export const isFrameworkFailure = (name: FailureName): boolean =>
  failures[name].status !== 400 && failures[name].code === failures[name].status

/** The words of a refusal, its `{placeholders}` filled from the detail. */
export function failureText(name: FailureName, language: Language, detail: FailureDetail = {}): string {
  return failures[name][language].replace(/\{(\w+)\}/g, (whole, key: string) =>
    key in detail ? String(detail[key]) : whole,
  )
}

/** A refusal with a name of the catalogue. Thrown by rules, caught once at the door, switched on by screens. */
export class Failure extends Error {
  readonly failure: FailureName
  readonly detail: FailureDetail

  constructor(failure: FailureName, detail: FailureDetail = {}) {
    super(failure)
    this.name = 'Failure'
    this.failure = failure
    this.detail = detail
  }
}

export const fail = (name: FailureName, detail?: FailureDetail): Failure => new Failure(name, detail)
