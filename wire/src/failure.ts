/**
 * The error catalogue. A failure has a name, which determines code, HTTP status and text; no code decides by
 * the text. The texts are in `failureText.ts`. chat.md §8, protocol.md §1.4.
 */
interface Entry {
  /** The number in the body, 40000 unless given. protocol.md §1.4. */
  readonly code?: number
  /**
   * The HTTP status of the v2 dialect, 400 unless given; v3 keeps it only for the framework's own errors.
   * protocol.md §1.3.
   */
  readonly status?: number
  /** The form field it belongs under, if any. chat.md §5. */
  readonly field?: string
}

const entries = {
  bad_input: {},
  bad_json: {},
  not_logged_in: { code: 401, status: 401 },
  forbidden: { code: 403, status: 403 },
  not_found: { code: 404, status: 404 },
  too_large: { code: 413, status: 413 },
  too_many: { code: 429, status: 429 },
  internal: { code: 500, status: 500 },
  unavailable: { code: 503, status: 503 },

  /** `detail.sign`: which captcha, see `captchaKindOf`. chat.md §8. */
  'captcha.needed': { code: 1002 },
  'captcha.wrong': { field: 'captcha' },
  /** It was answered before, is too old, or was made for another network. */
  'captcha.expired': { field: 'captcha' },
  'captcha.too_many': {},

  'auth.mobile_required': { field: 'mobile' },
  'auth.mobile_wrong': { field: 'mobile' },
  'auth.prefix_refused': { field: 'mobile' },
  'auth.code_required': { field: 'code' },
  'auth.code_wrong': { field: 'code' },
  'auth.code_expired': { field: 'code' },
  'auth.code_too_soon': { field: 'code' },
  'auth.code_too_many': { field: 'code' },
  'auth.sms_failed': { field: 'code' },
  'auth.password_wrong': { field: 'password' },
  'auth.password_required': { field: 'password' },
  /** A password that is set must satisfy `isPassword`. */
  'auth.password_weak': { field: 'password' },
  /** Another account has the number. Said to who has the code of the number alone. */
  'auth.mobile_taken': { field: 'mobile' },
  /** The number has no account. Said to who has the code of the number alone. */
  'auth.no_account': { field: 'mobile' },
  'auth.address_required': { field: 'address' },
  'auth.address_wrong': { field: 'address' },
  /** The mail server takes no mail for it. */
  'auth.address_refused': { field: 'address' },
  /** Another account has the address. Said to who has the code of the address alone. */
  'auth.address_taken': { field: 'address' },
  /** The address has no account. Said to who has the code of the address alone. */
  'auth.address_unknown': { field: 'address' },
  'auth.mail_failed': { field: 'code' },
  'auth.name_required': { field: 'name' },
  /** Of an address or a name, with its password. */
  'auth.account_wrong': { field: 'password' },
  /** Registering without a number or an address takes an invite that can be used. */
  'auth.invite_needed': {},
  /** The operator has not turned this way to register and log in on. */
  'auth.way_off': {},
  'auth.too_many_tries': {},
  /** `detail.until`: until when, ms, 0: until it is lifted; `detail.reason`: why, empty: nobody said. */
  'auth.banned': {},
  /**
   * The first factor is right, and the account has a second one. `detail.proof`: of a login by a third party,
   * for the next try.
   */
  'auth.second_factor_needed': { field: 'second_factor' },
  'auth.second_factor_wrong': { field: 'second_factor' },
  /** The code of this half minute was used already. */
  'auth.second_factor_used': { field: 'second_factor' },
  /** It is on already. */
  'auth.second_factor_on': {},
  /** It is not on. */
  'auth.second_factor_off': {},
  /** Its setup was begun too long ago, or elsewhere. */
  'auth.second_factor_expired': {},
  /** `detail`: a `bindNeeded` of auth/thirdParty.ts. chat.md §8. */
  'auth.bind_needed': { code: 41005 },
  /** The number's user has another account of this provider. chat.md §8. */
  'auth.bind_other': { code: 41006 },
  /** Bind info is too old, was used, or belongs to another browser. */
  'auth.bind_expired': {},
  /** The provider is not configured. */
  'auth.third_part_off': {},
  /** The login was not begun in this browser, or too long ago, or is over. */
  'auth.third_part_state': {},
  /** The provider does not accept the code. */
  'auth.third_part_refused': {},
  /** The provider does not answer, or not usefully. */
  'auth.third_part_failed': {},
  /** The account at the provider is linked to somebody else. */
  'auth.third_part_taken': {},
  /** Nothing else would log the person in. */
  'auth.third_part_last': {},
  /** Only pages of this site are signed. */
  'auth.page_elsewhere': {},

  'user.unknown': {},
  'user.name_required': { field: 'username' },
  'user.name_wrong': { field: 'username' },
  /** Only members of BUFF may do it. */
  'user.needs_buff': {},
  'user.number_wrong': { field: 'identify_num' },
  /** Somebody of the same name has these digits. */
  'user.number_taken': { field: 'identify_num' },
  /** `detail.n`: how many guilds it owns. */
  'user.owns_guilds': {},

  'asset.missing': {},
  /** `detail.mb`: how large a file may be here, MB. */
  'asset.too_large': { code: 40014, status: 413 },
  'asset.not_image': {},
  'asset.too_many_pixels': { code: 40014 },
  /** `detail.mb`: how many MB of files a person may upload within a day. */
  'asset.daily_limit': { code: 40014, status: 429 },
  /** `detail.mb`: how many MB of new files a guild may get within a day. */
  'asset.guild_daily_limit': { code: 40014, status: 429 },
  /** The server's disk is nearly full; all but uploads works. */
  'asset.no_space': { code: 503, status: 503 },
  /** Also for another user's asset, and for one of another kind. protocol.md §1.4. */
  'asset.unknown': {},

  'invite.invalid': {},
  'invite.expired': {},
  'invite.full': {},
  'invite.no_right': { code: 40300 },
  /** The guild has too many valid invites. */
  'invite.too_many': {},

  'referral.invalid': { field: 'invite_code' },
  'referral.own': { field: 'invite_code' },
  /** The registration was too long ago. */
  'referral.late': { field: 'invite_code' },
  /** Somebody was credited for this account already. */
  'referral.recorded': { field: 'invite_code' },

  'guild.unknown': {},
  'guild.not_member': {},
  'guild.banned': {},
  'guild.name_wrong': { field: 'name' },
  /** `detail.n`: how many guilds a person may own. */
  'guild.owns_too_many': {},
  /** Without a verified number nobody creates a guild. */
  'guild.unverified': {},
  /** The member stands above the caller, or beside them. protocol.md §8.3. */
  'guild.outranked': { code: 40300 },
  /** The owner of a guild does not leave it. */
  'guild.owner': {},
  /** A guild that was not closed, or too long ago, cannot be restored. */
  'guild.not_closed': {},

  /** Only the owner may do it. */
  'guild.not_owner': {},
  /** There is no such bot. */
  'bot.unknown': {},
  /** Somebody else looks after it. */
  'bot.not_yours': {},
  /** `detail.n`: how many bots one may have. */
  'bot.owns_too_many': {},
  /** `detail.n`: how many bots a guild may have. */
  'bot.guild_full': {},
  /** The guild banned it. */
  'bot.banned': {},
  /** Nobody offers the guild, not to or by the caller, or for too long. */
  'guild.no_transfer': {},
  /** `detail.min`, `detail.max`: how long it may be. */
  'guild.id_wrong': { field: 'custom_id' },
  /** Another guild has it, or it is reserved. */
  'guild.id_taken': { field: 'custom_id' },
  /** `detail.most`: how many members the guild's level allows. */
  'guild.full': {},
  /** `detail.level`: the first level that has the right; `detail.right`: its key. */
  'guild.level': { code: 40300 },

  /** Who joined has to accept the guild's rules before they write. */
  'onboarding.rules_needed': { code: 40300 },
  /** The guild offers no such role for its members to choose. */
  'onboarding.not_offered': {},
  /** A role with rights over others is not for members to choose. */
  'onboarding.role_over_others': { code: 40300 },
  /** Rules cannot be switched on without any. */
  'onboarding.no_rules': { field: 'rules' },
  /** There is no role yet that members may choose. */
  'onboarding.no_questions': {},

  'profile.name_required': { field: 'name' },
  'profile.desc_required': { field: 'desc' },
  /** `detail.most`: characters. */
  'profile.desc_too_long': { field: 'desc' },
  /** `detail.w`, `detail.h`: the smallest size, px. */
  'profile.icon_small': { field: 'icon' },
  'profile.banner_small': { field: 'banner' },
  /** `detail.mb`: how large it may be. */
  'profile.icon_too_large': { field: 'icon' },
  'profile.banner_too_large': { field: 'banner' },
  /** The guild is recommended: staff decide on its changes. */
  'profile.needs_review': { code: 40300 },
  /** Staff do not recommend the guild. */
  'profile.not_recommended': {},
  /** A change of the guild waits for staff. */
  'profile.waits': {},
  /** `detail.days`: until it can be changed again. */
  'profile.locked': {},
  'profile.unchanged': {},

  'review.unknown': {},
  /** Somebody else was faster. */
  'review.decided': {},

  /** What is reported is not there, or the caller cannot see it; of staff: there is no such case. */
  'report.unknown': {},
  /** One's own message, oneself, one's own guild. */
  'report.own': {},
  /** Somebody else was faster. */
  'report.decided': {},
  /** A word rule or the review service refuses it. Nobody is told which word. */
  'content.refused': {},
  /** A name that people would take for the official account's, or for that of staff. */
  'content.reserved': {},
  /** The message waits for staff, and is sent if they agree. Decision 82. */
  'content.held': {},
  /** Staff decided against the message. `detail.reason`: why. */
  'content.rejected': {},
  /** The author of a held message may not write there any more. */
  'content.author_cannot': {},
  /**
   * A rule of the guild refuses the message. `detail.name`: the rule's name;
   * `detail.own_words`: what its guild says instead. Decisions 118 and 122.
   */
  'moderation.word': { code: 40300 },
  'moderation.link': { code: 40300 },
  'moderation.invite': { code: 40300 },
  'moderation.flood': { code: 40300 },
  'moderation.mention': { code: 40300 },
  'moderation.newcomer': { code: 40300 },
  'moderation.restriction': { code: 40300 },
  /** Nobody may join for `detail.minutes`. */
  'moderation.raid': { code: 40300 },
  /** Only one person is let in at a time. */
  'moderation.raid_slow': { code: 40300 },
  'moderation.unknown': {},
  /** `detail.most`: how many rules a guild may have. */
  'moderation.full': {},
  /** `detail.words`, `detail.patterns`: how many the rules of a guild may have together. */
  'moderation.words_full': {},
  /** A word or pattern of nothing but marks. `detail.word`: which. */
  'moderation.word_wrong': {},
  /** Neither the id of a guild nor an invite to one. `detail.word`: what it is. */
  'moderation.guild_wrong': {},
  'moderation.held_unknown': {},
  /** Somebody else was faster, or its author took it back. */
  'moderation.held_decided': {},
  /** A word of nothing but marks, or none. */
  'word.wrong': { field: 'word' },
  /** There is a rule for it. */
  'word.taken': { field: 'word' },
  /** `detail.most`: how many rules there may be. */
  'word.full': {},
  'word.unknown': {},

  /** No session of the staff console, or it was not used for too long. */
  'staff.session_over': { code: 401, status: 401 },
  /** The console needs a second factor, and the account has none. */
  'staff.second_factor_off': {},
  /** A suspension must end after now, and within `SUSPENDED_MOST_MS`. */
  'staff.end_wrong': { field: 'until' },
  /** Staff do not become the owner of a guild by their own act. */
  'staff.own_guild': { field: 'user_id' },
  /** The member owns the guild already. */
  'staff.owner_already': { field: 'user_id' },
  'staff.approval_unknown': {},
  /** Who wants something does not approve it. */
  'staff.approval_own': { code: 403, status: 403 },
  /** Somebody decided it already. */
  'staff.approval_decided': {},
  /** Nobody decided it in time, or who wants it may not do it any more. */
  'staff.approval_over': {},
  /** What it would do is not what was shown: it is shown anew. */
  'staff.approval_changed': {},
  /** The house did not give it, or it is taken back already. */
  'buff.not_given': {},
  /** The console is not opened from this address. */
  'staff.address': { code: 403, status: 403 },

  'role.unknown': {},
  /** No role with this id was deleted within seven days. */
  'role.not_restorable': {},
  /** The role stands above the caller, or beside them. protocol.md §8.3. */
  'role.above': { code: 40300 },
  /** A permission that the caller lacks. */
  'role.bits': { code: 40300 },
  /** Everyone's role is not deleted, renamed, granted or revoked. protocol.md §4.3. */
  'role.everyone': {},
  /** `detail.most`: how many the guild's level allows. */
  'role.full': {},
  'role.name_wrong': { field: 'name' },

  /** No person has this name and number, or it is a bot. */
  'friend.unknown': {},
  'friend.self': {},
  /** The caller blocks them. */
  'friend.blocked': {},
  'friend.already': { code: 42007 },
  'friend.too_fast': { code: 42008 },
  'friend.too_many': {},
  'friend.unverified': {},
  /** There is no such request of somebody else any more. */
  'friend.request_unknown': {},
  'friend.no_relations': {},
  /** Notes on other people. `detail.most`: how many there may be. */
  'friend.notes_full': {},

  'emoji.unknown': {},
  'emoji.no_right': { code: 40300 },
  /** `detail.most`: how many the guild's level allows. */
  'emoji.full': {},
  /** An emoji of another guild, without BUFF. `detail.name`: its name. */
  'emoji.elsewhere': { code: 40300 },
  'emoji.name_wrong': { field: 'name' },
  /** `detail.kb`: how large its file may be, KB. */
  'emoji.too_large': { code: 40014, status: 413 },
  'emoji.not_image': {},

  'channel.unknown': {},
  'channel.name_wrong': { field: 'name' },
  /** The permission to manage channels, or people in voice, is missing there. */
  'channel.no_right': { code: 40300 },
  /** `detail.most`: how many a guild may have. */
  'channel.full': {},
  /** It was deleted more than seven days ago. */
  'channel.not_restorable': {},
  /** Threads and other kinds of channels that the server does not have. */
  'channel.type_refused': {},
  /** It is in no category whose overwrites it could take. */
  'channel.no_category': {},
  /** `detail.most`: how many people may have an overwrite in a channel. */
  'channel.users_full': {},
  /** Nobody of those is in a voice channel. */
  'channel.nobody_there': {},

  'member.no_right': { code: 40300 },
  /** The other member stands above the caller or beside them, or is the caller. */
  'member.above': { code: 40300 },
  'member.nickname_wrong': { field: 'nickname' },

  /** `detail.most`: how many notes there may be on one person in a guild. */
  'note.full': {},
  'note.unknown': {},
  /** Somebody else wrote it. */
  'note.not_yours': { code: 40300 },
  /** Silent members of the guild are being removed already. */
  'prune.running': {},

  'chat.unknown': {},
  'chat.not_allowed': { code: 40300 },
  'chat.unanswered': { code: 40300 },

  'message.empty': { code: 40011 },
  'message.too_long': { code: 40011 },
  'message.kind_refused': { code: 40011 },
  /** `detail.why`: `unverified`, `readonly` or `no_permission`. */
  'message.not_allowed': { code: 40300 },
  /** `detail.ends_at`: when the mute ends, ms; `detail.minutes`: in how many minutes. */
  'message.muted': { code: 40300 },
  /** A mute without an end. */
  'message.muted_endlessly': { code: 40300 },
  /** Slow mode. `detail.n`: seconds until the person may send there again. */
  'message.too_soon': { code: 40300 },
  'message.unknown': {},
  /** An ephemeral message to a user who is no member, or may not view the channel. */
  'message.target_unknown': {},
  'message.template_unknown': {},
  'message.deleted': {},
  /** The author used the nonce for another message here. */
  'message.nonce_used': {},
  'message.not_author': { code: 40300 },
  /** Deleting, reacting or pinning where the permission bit for it is missing. */
  'message.no_right': { code: 40300 },
  'message.emoji_unknown': {},
  'message.reactions_full': {},

  /** `detail.at`: the path of what is wrong, `[0].modules[3]`; `detail.why`: a `WhyBroken`. */
  'card.invalid': {},
  'card.no_button': {},

  'message.pins_full': {},

  /** The index of the search is being made, after an upgrade of a server with many messages. */
  'search.not_ready': { code: 503, status: 503 },

  'product.unknown': {},
  /** It is not sold any more. */
  'product.retired': {},
  /** There is no such market, or the product is not sold there. */
  'product.market': {},
  /** It has these values already, so nothing would change. */
  'product.unchanged': {},
  /** A change cannot be valid from a moment that has passed. */
  'product.past': { field: 'valid_from' },
  /** There is no such planned change: it was taken back, or is valid by now. */
  'product.no_plan': {},

  /** Also for somebody else's. */
  'order.unknown': {},
  /** It was placed by another person than the one who is logged in. */
  'order.not_own': { code: 40300 },
  /** `detail.most`: how many may be ordered at once. */
  'order.count': { field: 'count' },
  /** The key was used for another order. */
  'order.key_used': {},
  /** Gifts are for friends alone. */
  'order.receiver': {},
  /** The product is for a guild, and none is named; or it is not. */
  'order.subject': {},
  /** The receiver has it already. */
  'order.owned': {},
  /** The person has a better version, beside which this one brings nothing. */
  'order.lower': {},
  /** `detail.most`: how many orders may wait for their payment. */
  'order.too_many': {},
  /** Nobody paid it in time, or it was given up. */
  'order.closed': {},
  /** It is paid. */
  'order.paid': {},
  /** Not so much of it can be given back. `detail.left`: what can, in yuan. */
  'order.too_much': { field: 'fee' },
  /** Money went back since the page showed the order. */
  'order.changed': {},
  /** Nothing of it waits to be tried again. */
  'order.nothing_waits': {},

  /** Also for somebody else's. */
  'renewal.unknown': {},
  /** Apple's subscriptions are closed at Apple. commerce.md §4 "Renewal". */
  'renewal.apple': {},
  /** What is bought renews itself already. */
  'renewal.already': {},

  'coupon.unknown': { field: 'code' },
  'coupon.used': { field: 'code' },
  'coupon.expired': { field: 'code' },
  /** Staff paused the batch of the code. */
  'coupon.paused': { field: 'code' },
  /** The person has used as many codes of its batch as one person may. */
  'coupon.limit': { field: 'code' },
  /** Staff make codes, so they redeem none; nor does who made a batch of it. */
  'coupon.staff': { field: 'code' },

  /** No boost pack is on sale. commerce.md §8. */
  'boost.no_product': {},
  /** `detail.n`: how many packs they have. */
  'boost.too_few': { field: 'count' },

  'realname.name_wrong': { field: 'cert_name' },
  'realname.number_wrong': { field: 'cert_code' },
  /** The service says that name and number do not belong together, or knows no such card. */
  'realname.mismatch': {},
  /** As many accounts as one person may have are verified with this card. */
  'realname.taken': { field: 'cert_code' },
  'realname.done': {},
  /** The service does not answer. */
  'realname.unavailable': {},
  /** The operator has no service. */
  'realname.off': {},

  /** Purchases are made in the native app. chat.md §8. */
  'pay.in_app': {},
  /** The way to pay is not offered, or not here. */
  'pay.way': {},
  /** The provider does not answer, or refuses. */
  'pay.failed': {},
} as const satisfies Record<string, Entry>

export type FailureName = keyof typeof entries

/** The values of a failure on the wire. */
export interface CatalogueEntry {
  readonly code: number
  readonly status: number
  readonly field: string | undefined
}

export const failures = Object.fromEntries(
  Object.entries<Entry>(entries).map(([name, { code = 40000, status = 400, field }]) => [
    name,
    { code, status, field },
  ]),
) as Readonly<Record<FailureName, CatalogueEntry>>

export const isFailureName = (name: unknown): name is FailureName =>
  typeof name === 'string' && Object.hasOwn(entries, name)

/** Names whose HTTP status survives in the v3 dialect. protocol.md §1.3. */
export const isFrameworkFailure = (name: FailureName): boolean =>
  failures[name].status !== 400 && failures[name].code === failures[name].status

/** Details of a failure: values for the placeholders of its text, the fields concerned, a further reason. */
export type FailureDetail = Readonly<Record<string, unknown>>

/**
 * A refusal with a name of the catalogue. Rules throw it, the HTTP layer answers it, screens switch on its
 * name.
 */
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
