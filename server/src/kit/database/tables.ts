/**
 * Every table of the database and its columns, made by `node scripts/tables.ts`; do not edit it by hand.
 * The columns of a table are sorted by name; a `Generated` one may be left out of an insert.
 */
import type { AssetKind } from '@guildhall/wire/asset/asset.ts'
import type { ChannelId, GuildId, MessageId, UserId } from '@guildhall/wire/id.ts'
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import type { StaffRight } from '@guildhall/wire/staff/rights.ts'
import type { ColumnType } from 'kysely'

/** May be left out of an insert. */
export type Generated<T> =
  T extends ColumnType<infer Select, infer Insert, infer Update>
    ? ColumnType<Select, Insert | undefined, Update>
    : ColumnType<T, T | undefined, T>
/** Read as a decimal string (kit/database/columns.ts converts), written as a number too. */
export type Int8 = ColumnType<string, string | number, string | number>
/** Read as the value it holds, written as JSON text. */
export type Json = ColumnType<unknown, string, string>
export type Timestamp = ColumnType<Date, Date | string, Date | string>

export interface ActiveDayTable {
  day: string
  user_id: UserId
}

export interface AssetTable {
  check_at: Int8 | null
  copies: Generated<Json>
  created_at: Int8
  duration_ms: number | null
  height: number | null
  is_doubtful: Generated<boolean>
  is_face: Generated<boolean>
  key: string
  kind: AssetKind
  mime: string
  name: string
  sha256: Buffer
  size: Int8
  thumbhash: string | null
  user_id: UserId
  width: number | null
}

export interface AssetArrivalTable {
  given_up: Generated<boolean>
  key: string
  started_at: Int8
}

export interface AssetUseTable {
  channel_id: ChannelId | null
  guild_id: GuildId | null
  is_evidence: Generated<boolean>
  is_preview: Generated<boolean>
  key: string
  message_id: MessageId
}

export interface AttemptTable {
  key: string
  name: string
  spent: number
  started_at: Int8
}

export interface AuthorCountTable {
  day: string
  guild_id: GuildId
  people: Generated<number>
}

export interface AuthorDayTable {
  day: string
  guild_id: GuildId
  user_id: UserId
}

export interface BanTable {
  created_at: Int8
  guild_id: GuildId
  operator_id: Int8 | null
  remark: Generated<string>
  user_id: UserId
}

export interface BillDayTable {
  compared_at: Int8
  day: string
  lines: number
  looked_at: Int8 | null
  way: string
}

export interface BillDifferenceTable {
  day: string
  found_at: Int8
  here: Int8 | null
  id: Generated<Int8>
  kind: string
  provider_no: Generated<string>
  refund_no: string
  there: Int8 | null
  trade_no: string
  way: string
  what: string
}

export interface BillLineTable {
  at: Int8
  charge: Int8
  day: string
  fee: Int8
  kind: string
  provider_no: string
  refund_no: string
  trade_no: string
  way: string
}

export interface BoostPackTable {
  count: number
  granted_at: Int8
  id: Generated<Int8>
  order_id: Int8 | null
  revoked_at: Int8 | null
  used: Generated<number>
  user_id: UserId
}

export interface BoostTurnTable {
  at: Int8
  guild_id: GuildId
}

export interface BoostUseTable {
  count: number
  end_at: Int8
  guild_id: GuildId
  id: Generated<Int8>
  pack_id: Int8
  start_at: Int8
  user_id: UserId
}

export interface BotOwnerTable {
  bot_id: Int8
  created_at: Int8
  owner_id: UserId
}

export interface CaptchaUsedTable {
  expires_at: Int8
  id: string
}

export interface ChannelTable {
  created_at: Int8
  deleted_at: Int8 | null
  guild_id: GuildId
  id: Generated<ChannelId>
  is_readonly: Generated<boolean>
  level: Generated<number>
  limit_amount: Generated<number>
  name: string
  parent_id: ChannelId | null
  permission_sync: Generated<number>
  slow_mode: Generated<number>
  topic: Generated<string>
  type: 0 | 1 | 2
  user_id: UserId
  voice_quality: Generated<number>
}

export interface ChannelDayTable {
  channel_id: ChannelId
  day: string
  guild_id: GuildId
  messages: Generated<number>
}

export interface ChannelRoleRuleTable {
  allow: Generated<number>
  channel_id: ChannelId
  deny: Generated<number>
  guild_id: GuildId
  role_id: number
}

export interface ChannelUserRuleTable {
  allow: Generated<number>
  channel_id: ChannelId
  deny: Generated<number>
  user_id: UserId
}

export interface ChatTable {
  code: string
  created_at: Int8
  high_id: UserId
  last_at: Generated<Int8>
  last_seq: Generated<Int8>
  low_id: UserId
}

export interface ChatSideTable {
  chat_code: string
  is_hidden: Generated<boolean>
  read_at: Generated<Int8>
  read_seq: Generated<Int8>
  target_id: UserId
  user_id: UserId
}

export interface ClientLogTable {
  at: Int8
  filename: string
  id: Generated<Int8>
  location: string
  message: string
  name: string
  signature: string
  stack: string
  user_id: UserId | null
}

export interface CouponTable {
  batch_id: Int8
  hash: Buffer
  id: Generated<Int8>
  used_at: Int8 | null
  used_by: Int8 | null
}

export interface CouponBatchTable {
  actor: string
  approved_by: string | null
  count: number
  created_at: Int8
  expires_at: Int8 | null
  id: Generated<Int8>
  note: Generated<string>
  paused_at: Int8 | null
  per_user: number
  product_id: number
  used: Generated<number>
}

export interface CredentialTable {
  changed_at: Int8
  password_hash: string
  user_id: UserId
}

export interface DeletedRoleTable {
  color: number
  color_list: number[] | null
  deleted_at: Int8
  guild_id: GuildId
  hoist: number
  members: Int8[]
  mentionable: number
  name: string
  permissions: number
  position: number
  restored_at: Int8 | null
  role_id: number
  rules: Json
}

export interface DemoCastTable {
  name: string
  password: string
  second_factor: Generated<string>
  user_id: UserId
}

export interface EmojiDayTable {
  day: string
  guild_id: GuildId
  hash: string
  uses: Generated<number>
}

export interface EntitlementTable {
  granted_at: Int8
  id: Generated<Int8>
  kind: string
  length: Int8
  order_id: Int8 | null
  revoked_at: Int8 | null
  user_id: UserId
}

export interface EntitlementEndTable {
  at: Int8
  kind: string
  user_id: UserId
}

export interface EventLogTable {
  at: Int8
  body: Json
  channel_id: ChannelId | null
  guild_id: GuildId
  kind: string
  seq: Int8
}

export interface FriendBlockTable {
  created_at: Int8
  id: Generated<number>
  target_id: Int8
  user_id: UserId
}

export interface FriendshipTable {
  accepted_at: Int8 | null
  created_at: Int8
  high_id: UserId
  id: Generated<number>
  low_id: UserId
  user_id: UserId
}

export interface GrowthCountTable {
  counted_until: Int8
}

export interface GuildTable {
  banner: Generated<string>
  boost_num: Generated<number>
  category: Generated<string>
  closed_at: Int8 | null
  created_at: Int8
  custom_id: string | null
  custom_invite: string | null
  default_channel_id: ChannelId | null
  deleted_at: Int8 | null
  deleted_level: number | null
  icon: Generated<string>
  id: Generated<GuildId>
  is_recommended: Generated<boolean>
  level: Generated<number>
  name: string
  notify_type: Generated<number>
  pause_asks_captcha: Generated<boolean>
  pause_is_slow: Generated<boolean>
  paused_until: Int8 | null
  rules_since: Int8 | null
  rules_version: Generated<number>
  topic: Generated<string>
  user_id: UserId
  welcome_channel_id: ChannelId | null
  welcome_words: Generated<string>
}

export interface GuildAuditTable {
  actor_id: Int8 | null
  actor_kind: string
  after: Json | null
  at: Int8
  before: Json | null
  guild_id: GuildId
  id: Int8
  person_id: Int8 | null
  reason: string
  target_id: string
  target_kind: string
  target_name: string
  type: string
}

export interface GuildCounterTable {
  event_seq: Generated<Int8>
  guild_id: GuildId
  last_at: Generated<Int8>
}

export interface GuildEmojiTable {
  created_at: Int8
  emoji_type: number
  guild_id: GuildId
  hash: string
  name: string
  user_id: UserId
}

export interface GuildMuteTable {
  created_at: Int8
  ends_at: Int8 | null
  guild_id: GuildId
  type: number
  user_id: UserId
}

export interface GuildNoteTable {
  author_id: UserId
  content: string
  created_at: Int8
  guild_id: GuildId
  id: Int8
  updated_at: Int8
  user_id: UserId
}

export interface GuildOnboardingTable {
  guild_id: GuildId
  has_checklist: Generated<boolean>
  questions: Generated<Json>
  rules: Generated<Json>
}

export interface GuildPruneTable {
  ended_at: Int8 | null
  guild_id: GuildId
  removed: number
  role_ids: number[]
  silent_days: number
  started_at: Int8
  total: number
  touched_at: Int8
  user_id: UserId
}

export interface GuildRecommendTable {
  audit_status: Generated<number>
  created_at: Int8
  guild_id: GuildId
  passed_at: Int8 | null
  reason: Generated<string>
}

export interface GuildRevisionTable {
  banner: string
  before: Json | null
  created_at: Int8
  decided_at: Int8 | null
  decided_by: string | null
  description: string
  guild_id: GuildId
  icon: string
  id: Generated<Int8>
  name: string
  reason: Generated<string>
  status: Generated<number>
  user_id: UserId
}

export interface GuildRuleTable {
  acts: Json
  created_at: Int8
  exempt_channels: Generated<Int8[]>
  exempt_roles: number[]
  guild_id: GuildId
  id: Int8
  is_on: boolean
  kind: string
  looks_for: Json
  message: Generated<string>
  name: string
  updated_at: Int8
  user_id: UserId
}

export interface GuildRuleDayTable {
  caught: number
  day: number
  rule_id: Int8
  slot: number
}

export interface GuildTeamTable {
  guild_id: GuildId
  user_id: UserId
}

export interface GuildTransferTable {
  created_at: Int8
  guild_id: GuildId
  owner_id: UserId
  receiver_id: UserId
}

export interface HeldContentTable {
  author_id: UserId
  channel_id: ChannelId | null
  conversation: string
  created_at: Int8
  decided_at: Int8 | null
  decided_by: string | null
  guild_id: GuildId | null
  id: Generated<Int8>
  input: Json
  is_guilds: Generated<boolean>
  message_id: MessageId | null
  nonce: string
  reason: Generated<string>
  rule_id: Int8 | null
  status: Generated<number>
  target_id: Int8 | null
  why: Json
}

export interface HouseAccountTable {
  id: Generated<number>
  user_id: UserId
}

export interface InviteTable {
  channel_id: ChannelId | null
  code: string
  created_at: Int8
  deleted_at: Int8 | null
  expires_at: Int8 | null
  guild_id: GuildId
  id: Generated<Int8>
  role_id: number | null
  user_id: UserId
  uses: Generated<number>
  uses_max: number | null
}

export interface InviteDayTable {
  code: string
  day: string
  guild_id: GuildId
  joins: Generated<number>
}

export interface LedgerAccountTable {
  kind: string
  name: string
}

export interface LedgerEntryTable {
  at: Int8
  id: Generated<Int8>
  kind: string
  order_id: Int8 | null
  ref: string
}

export interface LedgerLineTable {
  account: string
  amount: Int8
  entry_id: Int8
}

export interface LineJournalTable {
  at: Int8
  froms: Int8[]
  no: Int8
  node_id: string
  topics: string[]
  tos: Int8[]
}

export interface LineNodeTable {
  id: string
  seen_at: Int8
}

export interface LinePlaceTable {
  node_id: string
  seq: Int8
  topic: string
}

export interface LineSessionTable {
  compress: boolean
  first_no: Int8
  guilds: Int8[]
  id: string
  journal_id: string
  login_id: string
  lost_at: Int8 | null
  no: Int8
  node_id: string
  sn: Int8
  user_id: UserId
}

export interface LoginCodeTable {
  asker: Buffer
  code_hash: Buffer
  expires_at: Int8
  mobile: string
  mobile_prefix: string
  sent_at: Int8
  strange_tries: Generated<number>
  type: string
  used_at: Int8 | null
}

export interface MemberDayTable {
  day: string
  guild_id: GuildId
  joins: Generated<number>
  leaves: Generated<number>
}

export interface MemberKeyTable {
  guild_id: GuildId
  key: string
  place: number
  user_id: UserId
}

export interface MembershipTable {
  guild_id: GuildId
  is_keyed: Generated<boolean>
  joined_at: Int8
  nickname: Generated<string>
  rules_accepted_at: Int8 | null
  user_id: UserId
}

export interface MembershipRoleTable {
  guild_id: GuildId
  role_id: number
  user_id: UserId
}

export interface MentionTable {
  at: Int8
  author_id: UserId
  channel_id: ChannelId
  is_user: boolean
  seq: Int8
  target_id: Int8
}

export interface MessageTable {
  attachments: Json | null
  author_id: UserId
  channel_id: ChannelId
  content: string
  create_at: Int8
  deleted_at: Int8 | null
  embeds: Json | null
  guild_id: GuildId
  id: MessageId
  kind: MessageKind
  kmarkdown: Json
  mention: Generated<Json>
  mention_all: Generated<boolean>
  mention_here: Generated<boolean>
  mention_roles: Generated<Json>
  nonce: Generated<string>
  pinned_at: Generated<Int8>
  pinned_by: Generated<Int8>
  quote: Json | null
  revision: Generated<number>
  seq: Int8
  updated_at: Generated<Int8>
}

export interface MigrationTable {
  applied_at: Generated<Timestamp>
  breaks: Generated<boolean>
  checksum: string
  name: string
}

export interface NotifySettingTable {
  channel_id: Generated<ChannelId>
  guild_id: GuildId
  notify_type: number
  user_id: UserId
}

export interface NumberDayTable {
  active: Generated<number>
  counted_at: Generated<Int8>
  day: string
  gross_alipay: Generated<Int8>
  gross_wechat: Generated<Int8>
  is_final: Generated<boolean>
  messages: Generated<number>
  messages_until: Int8
  orders: Generated<number>
  paid_orders: Generated<number>
  refunds_alipay: Generated<Int8>
  refunds_wechat: Generated<Int8>
  registrations: Generated<number>
}

export interface OrderTable {
  code: string
  created_at: Int8
  expires_at: Int8
  grant_tries: Generated<number>
  guild_id: GuildId | null
  id: Generated<Int8>
  is_granted: Generated<boolean>
  key: string
  kinds: Generated<string[]>
  pay_fee: Int8
  receiver_id: UserId | null
  refund_fee: Generated<Int8>
  request: string
  state: string
  user_id: UserId
}

export interface OrderLineTable {
  count: number
  details: Json
  kind: string
  name: string
  order_id: Int8
  place: number
  price: Int8
  product_id: number
  translations: Generated<Json>
}

export interface OrderStepTable {
  actor: string
  at: Int8
  from_state: string
  id: Generated<Int8>
  note: Generated<string>
  order_id: Int8
  step: string
  to_state: string
}

export interface PayDoubtTable {
  at: Int8
  facts: Json
  id: Generated<Int8>
  provider_no: string
  times: Generated<number>
  trade_no: string
  way: string
  why: string
}

export interface PaymentTable {
  created_at: Int8
  fee: Int8
  id: Generated<Int8>
  is_main: Generated<boolean>
  next_query_at: Int8
  order_id: Int8
  paid_at: Int8 | null
  provider_no: string | null
  queries: Generated<number>
  scene: string
  state: string
  trade_no: string
  way: string
}

export interface PersonCounterTable {
  event_seq: Generated<Int8>
  last_at: Generated<Int8>
  user_id: UserId
}

export interface PersonEventLogTable {
  at: Int8
  body: Json
  kind: string
  seq: Int8
  user_id: UserId
}

export interface PersonNoteTable {
  content: string
  target_id: Int8
  updated_at: Int8
  user_id: UserId
}

export interface PhoneCodeTable {
  code_hash: Buffer
  expires_at: Int8
  mobile: string
  mobile_prefix: string
  sent_at: Int8
  tries: Generated<number>
  type: string
  used_at: Int8 | null
}

export interface PrivateMessageTable {
  attachments: Json | null
  author_id: UserId
  chat_code: string
  content: string
  create_at: Int8
  deleted_at: Int8 | null
  id: MessageId
  kind: MessageKind
  kmarkdown: Json
  mention: Generated<Json>
  nonce: Generated<string>
  quote: Json | null
  revision: Generated<number>
  seq: Int8
  updated_at: Generated<Int8>
}

export interface PrivateReactionTable {
  at: Int8
  emoji_id: string
  message_id: MessageId
  name: string
  user_id: UserId
}

export interface ProductTable {
  buy_tip: Generated<string>
  created_at: Int8
  details: Json
  discount_label: Generated<string>
  group_id: Generated<number>
  id: Generated<number>
  kind: string
  market: Generated<number>
  name: string
  origin_price: Generated<Int8>
  period_buy: Generated<boolean>
  place: Generated<number>
  price: Int8
  retired_at: Int8 | null
  translations: Generated<Json>
}

export interface ProductChangeTable {
  actor: string
  approved_by: string | null
  at: Int8
  fields: Json
  id: Generated<Int8>
  product_id: number
  reason: string
  valid_from: Int8
}

export interface ProductWithdrawalTable {
  actor: string
  at: Int8
  change_id: Int8
  reason: string
}

export interface ProviderGrantTable {
  expires_at: Generated<Int8>
  name: string
  renewing_until: Generated<Int8>
  value: Generated<string>
}

export interface QuietMessageTable {
  at: Int8
  author_id: UserId
  cards: Generated<string>
  channel_id: ChannelId
  guild_id: GuildId
  id: MessageId
  nonce: Generated<string>
  target_id: UserId
}

export interface ReactionTable {
  count: number
  emoji_id: string
  message_id: MessageId
  name: string
  since: number
}

export interface ReactionUserTable {
  at: Int8
  emoji_id: string
  message_id: MessageId
  user_id: UserId
}

export interface ReadMarkTable {
  channel_id: ChannelId
  seq: Int8
  user_id: UserId
}

export interface RealNameTable {
  number_hash: Buffer
  sealed: string
  user_id: UserId
  verified_at: Int8
}

export interface ReferralTable {
  created_at: Int8
  credited_at: Int8 | null
  inviter_id: Int8 | null
  source: number | null
  user_id: UserId
  via: Generated<string>
}

export interface ReferralCodeTable {
  code: string
  created_at: Int8
  user_id: UserId
}

export interface RefundTable {
  actor: string
  cause: string
  created_at: Int8
  done_at: Int8 | null
  fee: Int8
  id: Generated<Int8>
  next_try_at: Int8
  order_id: Int8
  payment_id: Int8
  provider_refund_no: string | null
  reason: string
  refund_no: string
  state: string
  tries: Generated<number>
  why: string | null
}

export interface RenewalTable {
  app: string | null
  code: string
  created_at: Int8
  details: Json
  ended_at: Int8 | null
  fee: Int8
  id: Generated<Int8>
  is_charged_first: boolean
  is_end_due: Generated<boolean>
  kind: string
  lasts_until: Int8 | null
  name: string
  next_at: Int8
  order_id: Int8 | null
  product_id: number
  provider_no: string | null
  signed_at: Int8 | null
  state: string
  told_at: Int8 | null
  translations: Generated<Json>
  user_id: UserId
  way: string
}

export interface RenewalCycleTable {
  announced_at: Int8 | null
  ends_at: Int8
  fee: Int8
  id: Generated<Int8>
  order_id: Int8 | null
  outcome: string | null
  renewal_id: Int8
  tried_at: Int8 | null
  tries: Generated<number>
}

export interface ReportTable {
  at: Int8
  case_id: Int8
  category: string
  evidence_id: string
  id: Generated<Int8>
  reporter_id: Int8
  told_at: Int8 | null
  words: string
}

export interface ReportCaseTable {
  categories: Generated<Json>
  decided_at: Int8 | null
  decided_by: Generated<string>
  emptied_at: Int8 | null
  guild_id: GuildId | null
  id: Generated<Int8>
  kind: string
  name: string
  opened_at: Int8
  reason: Generated<string>
  reported_at: Int8
  reports: Generated<number>
  state: Generated<string>
  target_id: string
  user_id: UserId
}

export interface ReportEvidenceTable {
  at: Int8
  case_id: Int8
  digest: string
  id: string
  seen: Json
}

export interface RoleTable {
  color: Generated<number>
  color_list: number[] | null
  guild_id: GuildId
  hoist: Generated<number>
  made_for: Int8 | null
  mentionable: Generated<number>
  name: string
  permissions: Generated<number>
  position: Generated<number>
  role_id: Generated<number>
}

export interface SecondFactorTable {
  created_at: Int8
  recovery: Buffer[]
  secret: string
  used_steps: number[]
  user_id: UserId
}

export interface SecretTable {
  name: string
  value: Buffer
}

export interface SecurityEventTable {
  actor: Generated<string>
  at: Int8
  failure: Generated<string>
  id: Generated<Int8>
  kind: string
  place: Generated<string>
  session_id: string | null
  target: Generated<string>
  times: Generated<number>
  user_id: UserId | null
}

export interface SessionTable {
  created_at: Int8
  device_app: string | null
  device_os: string | null
  id: string
  is_console: Generated<boolean>
  network: string | null
  place_hash: Buffer | null
  remember: boolean
  revoked_at: Int8 | null
  seen_at: Int8
  token_hash: Buffer
  user_id: UserId
}

export interface StaffApprovalTable {
  actor: Int8
  created_at: Int8
  decided_at: Int8 | null
  decided_by: Generated<string>
  decided_why: Generated<string>
  expires_at: Int8
  facts: Json
  failure: Generated<string>
  id: Generated<Int8>
  input: Json
  kind: string
  reason: string
  state: Generated<string>
  why: string
}

export interface StaffLogTable {
  actor: string
  at: Int8
  detail: Generated<Json>
  id: Generated<Int8>
  kind: string
  name: string
  place: Generated<string>
  session_id: string | null
  target: Generated<string>
  user_id: UserId | null
}

export interface StaffSessionTable {
  opened_at: Int8
  session_id: string
  used_at: Int8
}

export interface StaffValueTable {
  day: number
  fen: Int8
}

export interface ThirdPartyTable {
  created_at: Int8
  openid: string
  provider: string
  unionid: string | null
  user_id: UserId
}

export interface ThirdPartyUsedTable {
  expires_at: Int8
  id: string
}

export interface UserTable {
  avatar: Generated<string>
  avatar_frame: Generated<string>
  bot: Generated<boolean>
  created_at: Int8
  custom_num: Generated<string>
  deleted_at: Int8 | null
  id: Generated<UserId>
  identify_num: string
  is_official: Generated<boolean>
  mobile: Generated<string>
  mobile_prefix: Generated<string>
  mobile_verified: Generated<boolean>
  staff_rights: Generated<StaffRight[]>
  staff_role: Generated<string>
  status: Generated<number>
  suspended_reason: Generated<string>
  suspended_until: Int8 | null
  username: string
  vip_avatar: Generated<string>
  vip_until: Generated<Int8>
}

export interface WordListTable {
  id: Generated<boolean>
  version: Generated<Int8>
}

export interface WordRuleTable {
  action: string
  changed_by: string
  created_at: Int8
  id: Generated<Int8>
  note: Generated<string>
  places: string[]
  updated_at: Int8
  word: string
}

export interface Tables {
  active_day: ActiveDayTable
  asset: AssetTable
  asset_arrival: AssetArrivalTable
  asset_use: AssetUseTable
  attempt: AttemptTable
  author_count: AuthorCountTable
  author_day: AuthorDayTable
  ban: BanTable
  bill_day: BillDayTable
  bill_difference: BillDifferenceTable
  bill_line: BillLineTable
  boost_pack: BoostPackTable
  boost_turn: BoostTurnTable
  boost_use: BoostUseTable
  bot_owner: BotOwnerTable
  captcha_used: CaptchaUsedTable
  channel: ChannelTable
  channel_day: ChannelDayTable
  channel_role_rule: ChannelRoleRuleTable
  channel_user_rule: ChannelUserRuleTable
  chat: ChatTable
  chat_side: ChatSideTable
  client_log: ClientLogTable
  coupon: CouponTable
  coupon_batch: CouponBatchTable
  credential: CredentialTable
  deleted_role: DeletedRoleTable
  demo_cast: DemoCastTable
  emoji_day: EmojiDayTable
  entitlement: EntitlementTable
  entitlement_end: EntitlementEndTable
  event_log: EventLogTable
  friend_block: FriendBlockTable
  friendship: FriendshipTable
  growth_count: GrowthCountTable
  guild: GuildTable
  guild_audit: GuildAuditTable
  guild_counter: GuildCounterTable
  guild_emoji: GuildEmojiTable
  guild_mute: GuildMuteTable
  guild_note: GuildNoteTable
  guild_onboarding: GuildOnboardingTable
  guild_prune: GuildPruneTable
  guild_recommend: GuildRecommendTable
  guild_revision: GuildRevisionTable
  guild_rule: GuildRuleTable
  guild_rule_day: GuildRuleDayTable
  guild_team: GuildTeamTable
  guild_transfer: GuildTransferTable
  held_content: HeldContentTable
  house_account: HouseAccountTable
  invite: InviteTable
  invite_day: InviteDayTable
  ledger_account: LedgerAccountTable
  ledger_entry: LedgerEntryTable
  ledger_line: LedgerLineTable
  line_journal: LineJournalTable
  line_node: LineNodeTable
  line_place: LinePlaceTable
  line_session: LineSessionTable
  login_code: LoginCodeTable
  member_day: MemberDayTable
  member_key: MemberKeyTable
  membership: MembershipTable
  membership_role: MembershipRoleTable
  mention: MentionTable
  message: MessageTable
  migration: MigrationTable
  notify_setting: NotifySettingTable
  number_day: NumberDayTable
  order: OrderTable
  order_line: OrderLineTable
  order_step: OrderStepTable
  pay_doubt: PayDoubtTable
  payment: PaymentTable
  person_counter: PersonCounterTable
  person_event_log: PersonEventLogTable
  person_note: PersonNoteTable
  phone_code: PhoneCodeTable
  private_message: PrivateMessageTable
  private_reaction: PrivateReactionTable
  product: ProductTable
  product_change: ProductChangeTable
  product_withdrawal: ProductWithdrawalTable
  provider_grant: ProviderGrantTable
  quiet_message: QuietMessageTable
  reaction: ReactionTable
  reaction_user: ReactionUserTable
  read_mark: ReadMarkTable
  real_name: RealNameTable
  referral: ReferralTable
  referral_code: ReferralCodeTable
  refund: RefundTable
  renewal: RenewalTable
  renewal_cycle: RenewalCycleTable
  report: ReportTable
  report_case: ReportCaseTable
  report_evidence: ReportEvidenceTable
  role: RoleTable
  second_factor: SecondFactorTable
  secret: SecretTable
  security_event: SecurityEventTable
  session: SessionTable
  staff_approval: StaffApprovalTable
  staff_log: StaffLogTable
  staff_session: StaffSessionTable
  staff_value: StaffValueTable
  third_party: ThirdPartyTable
  third_party_used: ThirdPartyUsedTable
  user: UserTable
  word_list: WordListTable
  word_rule: WordRuleTable
}
