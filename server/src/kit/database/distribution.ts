/**
 * Where each table lies once the database is spread over several servers, by Citus or a compatible engine.
 * `node scripts/distribution.ts` compares it with the tables and says what such an engine refuses; a test
 * fails when a table or a key is not accounted for.
 */
import type { Tables } from './tables.ts'

/**
 * Rows of a group that have the same value in their column lie on one server: those of a guild, of a person,
 * of a private chat, of a file, or of a node of this program.
 */
export type Group = 'guild' | 'person' | 'chat' | 'file' | 'node'

/** Why a unique key needs no index over all servers, or what has to be made before it does without. */
export type UniqueKey = { readonly stays: string } | { readonly needs: string }

export interface Distributed {
  readonly group: Group
  /** Whose value decides; null: the table lacks it. */
  readonly column: string | null
  /** Unique keys without the column, by the names of their indexes. */
  readonly keys: Readonly<Record<string, UniqueKey>>
}

/**
 * `reference`: few rows that change seldom, the same on every server. `central`: on one server, with
 * everything that its transactions touch; or few rows that nothing distributed is read with.
 */
export type Distribution = Distributed | 'reference' | 'central'

const UUID: UniqueKey = { stays: 'a UUID that the program makes' }
/** Not one of several sequences, as engines make them for their servers: ids stay below 2^53. */
const SEQUENCE: UniqueKey = { stays: 'a number of one sequence, as long as one server gives them out' }
const OF_ONE_CHANNEL: UniqueKey = { stays: 'has a channel, which is of one guild' }
const OF_ONE_MESSAGE: UniqueKey = { stays: 'has a message, which is of one guild or one chat' }
const OF_ONE_RULE: UniqueKey = { stays: 'has a rule, which is of one guild' }
const RANDOM: UniqueKey = { stays: 'the hash of a random token' }
const CLAIMED: UniqueKey = { needs: 'a table of what is taken, distributed by the key itself' }
const OF_TWO: UniqueKey = { needs: 'a code that is made of the ids of the two' }

const by = (group: Group, column: string | null, keys: Distributed['keys'] = {}): Distributed => ({
  group,
  column,
  keys,
})
const byGuild = (keys: Distributed['keys'] = {}) => by('guild', 'guild_id', keys)
const byPerson = (keys: Distributed['keys'] = {}) => by('person', 'user_id', keys)

export const DISTRIBUTION: Readonly<Record<keyof Tables, Distribution>> = {
  active_day: byPerson(),
  asset: by('file', 'key'),
  asset_arrival: by('file', 'key'),
  asset_use: by('file', 'key'),
  attempt: 'central',
  author_count: byGuild(),
  author_day: byGuild(),
  ban: byGuild(),
  bill_day: 'central',
  bill_difference: 'central',
  bill_line: 'central',
  boost_pack: 'central',
  boost_turn: byGuild(),
  boost_use: byGuild({ boost_use_pkey: SEQUENCE }),
  bot_owner: by('person', 'bot_id'),
  captcha_used: 'central',
  channel: byGuild({ channel_pkey: SEQUENCE }),
  channel_day: byGuild(),
  channel_role_rule: byGuild({ channel_role_rule_pkey: OF_ONE_CHANNEL }),
  channel_user_rule: by('guild', null, { channel_user_rule_pkey: OF_ONE_CHANNEL }),
  chat: by('chat', 'code', { chat_low_id_high_id_key: OF_TWO }),
  chat_side: byPerson(),
  client_log: 'central',
  coupon: 'central',
  coupon_batch: 'central',
  credential: byPerson(),
  deleted_role: byGuild(),
  demo_cast: 'central',
  emoji_day: byGuild(),
  entitlement: 'central',
  entitlement_end: 'central',
  event_log: byGuild(),
  friend_block: byPerson({ friend_block_pkey: SEQUENCE }),
  friendship: by('person', 'low_id', { friendship_pkey: SEQUENCE }),
  growth_count: 'central',
  guild: by('guild', 'id', { guild_custom_id: CLAIMED }),
  guild_audit: byGuild({ guild_audit_pkey: SEQUENCE }),
  guild_counter: byGuild(),
  guild_emoji: byGuild(),
  guild_mute: byGuild(),
  guild_note: byGuild({ guild_note_pkey: SEQUENCE }),
  guild_onboarding: byGuild(),
  guild_prune: byGuild(),
  guild_recommend: byGuild(),
  guild_revision: byGuild({ guild_revision_pkey: SEQUENCE }),
  guild_rule: byGuild({ guild_rule_pkey: SEQUENCE }),
  guild_rule_day: by('guild', null, { guild_rule_day_pkey: OF_ONE_RULE }),
  guild_team: byGuild(),
  guild_transfer: byGuild(),
  held_content: 'central',
  house_account: 'reference',
  invite: byGuild({ invite_pkey: CLAIMED }),
  invite_day: byGuild(),
  ledger_account: 'central',
  ledger_entry: 'central',
  ledger_line: 'central',
  line_journal: by('node', 'node_id'),
  line_node: by('node', 'id'),
  line_place: by('node', 'node_id'),
  line_session: by('node', 'node_id', { line_session_pkey: UUID }),
  login_code: 'central',
  member_day: byGuild(),
  member_key: byGuild(),
  membership: byGuild(),
  membership_role: byGuild(),
  mention: by('guild', null, { mention_pkey: OF_ONE_CHANNEL }),
  message: byGuild({ message_history: OF_ONE_CHANNEL, message_nonce: OF_ONE_CHANNEL, message_pkey: UUID }),
  migration: 'central',
  notify_setting: byGuild(),
  number_day: 'central',
  order: 'central',
  order_line: 'central',
  order_step: 'central',
  pay_doubt: 'central',
  payment: 'central',
  person_counter: byPerson(),
  person_event_log: byPerson(),
  person_note: byPerson(),
  phone_code: 'central',
  private_message: by('chat', 'chat_code', { private_message_pkey: UUID }),
  private_reaction: by('chat', null, { private_reaction_pkey: OF_ONE_MESSAGE }),
  product: 'reference',
  product_change: 'reference',
  product_withdrawal: 'reference',
  provider_grant: 'central',
  quiet_message: byGuild({ quiet_message_nonce: OF_ONE_CHANNEL, quiet_message_pkey: OF_ONE_MESSAGE }),
  reaction: by('guild', null, { reaction_pkey: OF_ONE_MESSAGE }),
  reaction_user: by('guild', null, { reaction_user_pkey: OF_ONE_MESSAGE }),
  read_mark: by('guild', null, { read_mark_pkey: OF_ONE_CHANNEL }),
  real_name: byPerson(),
  referral: byPerson(),
  referral_code: byPerson({ referral_code_code_key: CLAIMED }),
  refund: 'central',
  renewal: 'central',
  renewal_cycle: 'central',
  report: 'central',
  report_case: 'central',
  report_evidence: 'central',
  role: byGuild(),
  second_factor: byPerson(),
  secret: 'reference',
  security_event: 'central',
  session: byPerson({ session_pkey: UUID, session_token_hash_key: RANDOM }),
  staff_approval: 'central',
  staff_log: 'central',
  staff_session: 'central',
  staff_value: 'central',
  third_party: byPerson({ third_party_pkey: CLAIMED, third_party_unionid: CLAIMED }),
  third_party_used: 'central',
  user: by('person', 'id', {
    user_custom_num: CLAIMED,
    user_mobile: CLAIMED,
    user_username_identify_num_key: CLAIMED,
  }),
  word_list: 'reference',
  word_rule: 'reference',
}
