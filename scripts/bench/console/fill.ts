/** Fills the database of the console's benchmark by SQL. Triggers and foreign keys are off meanwhile. */
import { DAY_MS, MINUTE_MS } from '@guildhall/wire/unit.ts'
import { withConnection } from '../../../server/src/kit/database/db.ts'
import { indexSomeMembers } from '../../../server/src/member/member.ts'
import type { TestDatabase } from '../../../server/src/testing/database/database.ts'
import { evidenceSql } from './evidence.ts'
import { size } from './size.ts'

const SURNAMES = '赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜'
const GIVEN = '伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英'

/** Ids of the first rows; those that follow have the next ones. */
export const first = {
  person: 200_000_001,
  guild: 3_200_000_000_000_001,
  channel: 4_200_000_000_000_001,
  order: 200_000_000_001,
} as const
/** Somebody with many orders, guilds, sessions and grants. */
export const BUSIEST = String(first.person)
/** The guild with the most members. */
export const LARGEST = String(first.guild)
/** Session tokens of people are this and their index among them. */
export const TOKEN = 'session-of-person-'

const letter = (of: string, n: string): string => `substr('${of}', 1 + (${n})::int % ${of.length}, 1)`
const person = (n: string): string => `(${first.person} + ${n})`
const anybody = `(${first.person} + floor(random() * ${size.people}))::bigint`
const anyGuild = `(${first.guild} + floor(power(random(), 2) * ${size.guilds}))::bigint`
const series = (count: number): string => `generate_series(0, ${count - 1}) as n`
export const uuid = (n: string, kind = 0): string =>
  `('0000000${kind}-0000-4000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`

export async function fill({ connection, db }: TestDatabase): Promise<void> {
  const now = Date.now()
  await withConnection(connection, async (query) => {
    await query(`set statement_timeout = 0; set session_replication_role = replica; set work_mem = '128MB'`)
    const parts = [...people, ...guildParts, ...orders, ...grants, ...cases, ...others]
    for (const [name, statement] of parts) {
      const began = performance.now()
      await query(statement(now))
      const seconds = (performance.now() - began) / 1000
      if (seconds > 3) console.log(`filled ${name}: ${seconds.toFixed(0)} s`)
    }
  })
  const began = performance.now()
  while ((await indexSomeMembers(db)) > 0);
  console.log(`members indexed: ${((performance.now() - began) / 1000).toFixed(0)} s`)
  await withConnection(connection, async (query) => {
    await query('set statement_timeout = 0')
    await query('vacuum analyze')
  })
}

type Part = readonly [name: string, statement: (now: number) => string]

const years = (now: number, n: string, count: number): string =>
  `(${now} - (${count} - ${n})::float8 / ${count} * ${size.days * DAY_MS})::bigint`

const people: readonly Part[] = [
  [
    'people',
    (now) => `
      insert into "user" (id, username, identify_num, mobile_prefix, mobile, mobile_verified, created_at, status, suspended_reason,
        deleted_at)
      select ${person('n')}, case when n % 5 = 0 then 'user' || n else ${letter(SURNAMES, 'n')} || ${letter(GIVEN, 'n / 32')}
          || ${letter(GIVEN, 'n / 800')} end,
        lpad(n::text, 6, '0'), '86', (15000000000 + n)::text, true, ${years(now, 'n', size.people)},
        case when n % 100 = 7 then 10 else 0 end, case when n % 100 = 7 then '广告' else '' end,
        case when n % 200 = 9 then ${now} end
      from ${series(size.people)}`,
  ],
  [
    'sessions',
    (now) => `
      insert into session (id, token_hash, user_id, remember, created_at, seen_at, network)
      select ${uuid('n', 1)}, sha256(convert_to('${TOKEN}' || n, 'utf8')), ${person(`(case when n < ${size.people} then n else 0 end)`)},
        true, ${now} - 1000, ${now} - 1000, '10.0.0.0/24' from ${series(size.people + 100)}`,
  ],
  [
    'days',
    (now) => `
      insert into active_day (day, user_id)
      select to_char(to_timestamp(${now} / 1000.0) at time zone 'Asia/Shanghai', 'YYYY-MM-DD'), ${person('n')}
      from ${series(Math.ceil(size.people / 5))}`,
  ],
  [
    'numbers',
    (now) => `
      insert into number_day (day, registrations, active, messages, messages_until, orders, paid_orders, gross_wechat, gross_alipay,
        counted_at, is_final)
      select to_char(to_timestamp((${now} - n * ${DAY_MS}::bigint) / 1000.0) at time zone 'Asia/Shanghai', 'YYYY-MM-DD'), 130, 20000, 90000,
        ${now}, 1400, 1200, 1000000, 500000, ${now}, true
      from generate_series(1, ${size.days}) as n on conflict (day) do update set is_final = true`,
  ],
]

const guildParts: readonly Part[] = [
  [
    'guilds',
    (now) => `
      insert into guild (id, name, topic, user_id, default_channel_id, created_at, boost_num, level, deleted_at, closed_at, custom_id)
      select ${first.guild} + n, ${letter(SURNAMES, 'n')} || ${letter(GIVEN, 'n / 7')} || '公会' || n, '一个说明 ' || n,
        ${person(`(n * 7 % ${size.people})`)}, ${first.channel} + n, ${years(now, 'n', size.guilds)}, n % 50, n % 7,
        case when n % 50 in (3, 4) then ${now} end, case when n % 50 = 3 then ${now} end,
        case when n % 20 = 0 then 'bench' || n end
      from ${series(size.guilds)}`,
  ],
  [
    'roles',
    () =>
      `insert into role (guild_id, role_id, name, permissions) select ${first.guild} + n, 0, '@全体成员', 148691464 from ${series(size.guilds)}`,
  ],
  [
    'counters',
    () => `insert into guild_counter (guild_id) select ${first.guild} + n from ${series(size.guilds)}`,
  ],
  [
    'channels',
    (now) => `
      insert into channel (id, guild_id, user_id, name, type, created_at)
      select ${first.channel} + n, ${first.guild} + n % ${size.guilds}, ${person('0')}, '频道' || n, 1, ${now}
      from ${series(size.guilds * 3)}`,
  ],
  [
    'memberships',
    (now) => `
      insert into membership (guild_id, user_id, joined_at)
      select id, user_id, ${now} from guild where id >= ${first.guild}
      union select ${first.guild}, ${person('n')}, ${now} from ${series(size.largest)}
      union select ${first.guild} + n, ${BUSIEST}, ${now} from ${series(Math.min(150, size.guilds))}
      union select ${anyGuild}, ${anybody}, ${now} from ${series(size.memberships)}`,
  ],
  [
    'recommended guilds',
    (now) => `
      insert into guild_recommend (guild_id, created_at)
      select id, ${now} from guild where deleted_at is null and id >= ${first.guild} order by id limit ${size.recommended}`,
  ],
  [
    'messages',
    (now) => `
      insert into message (id, guild_id, channel_id, author_id, seq, kind, content, kmarkdown, create_at)
      select ${uuid('n')}, it.guild_id, ${first.channel} + (it.guild_id - ${first.guild}), it.user_id, n + 1, model.kind, model.content,
        model.kmarkdown, ${years(now, 'n', size.messages)}
      from (select row_number() over () - 1 as n, guild_id, user_id from membership where guild_id >= ${first.guild}
        limit ${size.messages}) it,
        (select kind, content, kmarkdown from message where kind = 'kmarkdown' limit 1) model`,
  ],
]

/** The orders in short, from which all that belongs to them is written. */
const orders: readonly Part[] = [
  [
    'orders in short',
    (now) => `
      create temporary table it as
      select n, ${first.order} + n as id, ${years(now, 'n', size.orders)} as at, 100 * (1 + n % 90) as fee,
        case when n % 3 = 0 then 'alipay' else 'wechat' end as way, (array['buff', 'buff', 'boost', case when n % 20 = 3 then 'buff' else 'golive' end])[1 + (hashint4(n) & 3)] as kind,
        case when n % 200 = 0 then ${BUSIEST} else ${anybody} end as user_id,
        case when n % 4 = 2 then case when n % 8 = 2 then ${LARGEST} else ${anyGuild} end end as guild_id,
        case when n % 30 = 5 then ${anybody} end as receiver_id,
        case when n >= ${size.orders} - 300 then 'placed' when n >= ${size.orders} - 600 then 'paying'
          when n >= ${size.orders} - 800 then 'paid' when n % 5000 = 1 then 'stuck' when n % 5000 = 2 then 'refunding'
          when n % 20 = 3 then 'refunded' when n % 10 = 4 then 'closed' else 'granted' end as state
      from ${series(size.orders)}; analyze it`,
  ],
  [
    'orders',
    () => `
      insert into "order" (id, code, user_id, key, request, receiver_id, guild_id, state, pay_fee, refund_fee, is_granted, created_at,
        expires_at, kinds)
      select id, md5(n::text), user_id, 'bench' || n, '', receiver_id, guild_id, state, fee, case state when 'refunded' then fee else 0 end,
        state = 'granted', at, at + ${120 * MINUTE_MS}, array[kind] from it`,
  ],
  [
    'order lines',
    () => `
      insert into order_line (order_id, place, product_id, kind, name, count, price, details)
      select it.id, 0, product.id, it.kind, product.name, 1, it.fee, product.details
      from it join (select distinct on (kind) * from product order by kind, id) product on product.kind = it.kind`,
  ],
  [
    'order steps',
    () => `
      insert into order_step (order_id, step, from_state, to_state, actor, at)
      select id, 'begin', 'placed', 'paying', 'buyer', at + 1000 from it where state <> 'placed'
      union all select id, 'receive', 'paying', 'paid', 'provider', at + 9000 from it where state not in ('placed', 'paying', 'closed')
      union all select id, 'grant', 'paid', 'granted', 'server', at + 9500 from it where state in ('granted', 'refunding', 'refunded')
      union all select id, 'close', 'paying', 'closed', 'server', at + 7200000 from it where state = 'closed'
      union all select id, 'stick', 'paid', 'stuck', 'server', at + 9900 from it where state = 'stuck'
      union all select id, 'refund', 'granted', 'refunding', 'operator', at + 99000 from it where state in ('refunding', 'refunded')
      union all select id, 'refunded', 'refunding', 'refunded', 'provider', at + 999000 from it where state = 'refunded'`,
  ],
  [
    'payments',
    () => `
      insert into payment (id, trade_no, order_id, way, scene, fee, state, is_main, provider_no, created_at, paid_at, next_query_at)
      select 1000000 + n, 'B' || lpad(n::text, 12, '0'), id, way, 'qr', fee, paid.mark, paid.mark = 'paid',
        case paid.mark when 'paid' then '4200' || lpad(n::text, 16, '0') end, at + 1000,
        case paid.mark when 'paid' then at + 9000 end, at + 1200
      from it, lateral (select case when it.state = 'paying' or n % 10000 = 4 then 'begun' when it.state = 'closed' then 'closed'
        else 'paid' end as mark) paid where it.state <> 'placed'`,
  ],
  [
    'refunds',
    () => `
      insert into refund (id, refund_no, order_id, payment_id, fee, cause, reason, actor, state, provider_refund_no, created_at, done_at,
        next_try_at)
      select 1000000 + n, 'R' || lpad(n::text, 12, '0'), id, 1000000 + n, case state when 'granted' then 50 else fee end, 'staff', '退款',
        'operator', done.mark, case done.mark when 'done' then '5030' || lpad(n::text, 16, '0') end, at + 99000,
        case done.mark when 'done' then at + 999000 end, at + 99000
      from it, lateral (select case it.state when 'refunding' then 'waiting' when 'stuck' then 'stuck' else 'done' end as mark) done
      where it.state in ('refunded', 'refunding') or (it.state = 'stuck' and n % 2 = 0) or (it.state = 'granted' and n % 50 = 7)`,
  ],
  [
    'ledger accounts',
    () => `
      insert into ledger_account (name, kind) select * from (values ('clearing:wechat', 'asset'), ('clearing:alipay', 'asset'),
        ('owed', 'liability'), ('revenue:buff', 'income'), ('revenue:boost', 'income'), ('revenue:golive', 'income'),
        ('refunds:buff', 'expense'), ('refunds:boost', 'expense'), ('refunds:golive', 'expense')) as row on conflict do nothing`,
  ],
  [
    'moves of money',
    () => `
      create temporary table moves as
      select 10000000 + n * 4::bigint as entry, 'receive' as what, 'B' || lpad(n::text, 12, '0') as ref, id, at + 9000 as at,
        'owed' as source, 'clearing:' || way as target, fee from it where state not in ('placed', 'paying', 'closed')
      union all select 10000001 + n * 4::bigint, 'grant', id::text, id, at + 9500, 'revenue:' || kind, 'owed', fee from it
        where state in ('granted', 'refunding', 'refunded')
      union all select 10000002 + n * 4::bigint, 'refund', 'R' || lpad(n::text, 12, '0'), id, at + 99000, 'owed', 'refunds:' || kind, fee
        from it where state in ('refunding', 'refunded')
      union all select 10000003 + n * 4::bigint, 'pay_back', 'R' || lpad(n::text, 12, '0'), id, at + 999000, 'clearing:' || way, 'owed', fee
        from it where state = 'refunded'`,
  ],
  [
    'ledger entries',
    () =>
      `insert into ledger_entry (id, kind, ref, order_id, at) select entry, what, ref, id, at from moves order by entry`,
  ],
  [
    'ledger lines',
    () => `
      insert into ledger_line (entry_id, account, amount)
      select entry, source, -fee from moves union all select entry, target, fee from moves order by 1`,
  ],
  [
    'numbers of orders',
    () => `
      select setval('order_id_seq', (select max(id) from "order")), setval('payment_id_seq', (select max(id) from payment)),
        setval('refund_id_seq', (select max(id) from refund)), setval('ledger_entry_id_seq', (select max(id) from ledger_entry));
      drop table moves; drop table it`,
  ],
  [
    'bills',
    (now) => `
      insert into bill_day (way, day, compared_at, lines, looked_at)
      select way, to_char(to_timestamp((${now} - n * ${DAY_MS}::bigint) / 1000.0), 'YYYY-MM-DD'), ${now}, 900, ${now}
      from generate_series(1, ${size.days}) as n, (values ('wechat'), ('alipay')) as ways (way)`,
  ],
  [
    'differences of bills',
    (now) => `
      insert into bill_difference (way, day, what, kind, trade_no, refund_no, provider_no, there, here, found_at)
      select 'wechat', to_char(to_timestamp((${now} - (n % ${size.days}) * ${DAY_MS}::bigint) / 1000.0), 'YYYY-MM-DD'), 'other_sum', 'payment',
        'B' || lpad((n * 100)::text, 12, '0'), '', '', 100, 200, ${now} from ${series(size.changes * 3)}`,
  ],
  [
    'doubts',
    (now) => `
      insert into pay_doubt (way, why, trade_no, provider_no, facts, at)
      select 'wechat', 'fee', 'B' || lpad((n * 100)::text, 12, '0'), '9' || n, '{}', ${now} from ${series(size.changes * 3)}`,
  ],
]

const grants: readonly Part[] = [
  [
    'batches',
    (now) => `
      insert into coupon_batch (id, product_id, count, per_user, created_at, actor, note, used)
      select 1000 + n, (select min(id) from product), case when n = 0 then ${size.codesOfLargest} else ${size.codesPerBatch} end, 3,
        ${years(now, 'n', size.batches)}, case when n % 3 = 0 then 'operator' else ${BUSIEST}::text end, '活动 ' || n,
        case when n = 0 then ${size.codesOfLargest} else ${size.codesPerBatch} end / 2
      from ${series(size.batches)}; select setval('coupon_batch_id_seq', 1000 + ${size.batches})`,
  ],
  [
    'codes',
    (now) => `
      insert into coupon (batch_id, hash, used_by, used_at)
      select 1000 + case when n < ${size.codesOfLargest} then 0 else 1 + (n - ${size.codesOfLargest}) / ${size.codesPerBatch} end,
        sha256(convert_to('code' || n, 'utf8')), case when n % 2 = 0 then ${anybody} end, case when n % 2 = 0 then ${now} - n end
      from ${series(size.codesOfLargest + (size.batches - 1) * size.codesPerBatch)}`,
  ],
  [
    'entitlements',
    (now) => `
      insert into entitlement (user_id, kind, order_id, length, granted_at)
      select case when n < 300 then ${BUSIEST} else ${anybody} end, (array['buff', 'buff', 'golive_normal', 'golive_pro'])[1 + n % 4],
        case when n % 4 < 2 and n % 8 < 4 then ${first.order} + n end, ${30 * DAY_MS}::bigint, ${years(now, 'n', size.grants)}
      from ${series(size.grants)}`,
  ],
  [
    'boost packs',
    (now) => `
      insert into boost_pack (id, user_id, order_id, count, used, granted_at)
      select 1000000 + n, case when n < 300 then ${BUSIEST} else ${anybody} end,
        case when n % 4 = 2 then ${first.order} + n end, 3, 1 + n % 3, ${years(now, 'n', size.grants)} from ${series(size.grants)};
      select setval('boost_pack_id_seq', 1000000 + ${size.grants})`,
  ],
  [
    'uses of packs',
    (now) => `
      insert into boost_use (guild_id, user_id, pack_id, count, start_at, end_at)
      select ${anyGuild}, user_id, id, used, granted_at, case when id % 4 = 0 then ${now} + ${DAY_MS} * (1 + id % 29) else granted_at + 1 end
      from boost_pack where id >= 1000000`,
  ],
  [
    'changes of products',
    (now) => `
      insert into product_change (product_id, fields, valid_from, at, actor, reason)
      select (select min(id) from product), '{"buy_tip": ""}', ${years(now, 'n', size.changes)}, ${years(now, 'n', size.changes)}, 'operator',
        '活动' from ${series(size.changes)}`,
  ],
]

/** Cases: the last ones are open. What was seen of decided ones is gone after thirty days. */
const cases: readonly Part[] = [
  [
    'cases',
    (now) => `
      insert into report_case (id, kind, target_id, name, user_id, guild_id, state, reports, categories, opened_at, reported_at, decided_at,
        decided_by, reason, emptied_at)
      select 1000 + n, it.kind, case it.kind when 'message' then ${uuid('n', 0)}::text when 'user' then ${person('n')}::text
          else (${first.guild} + n % ${size.guilds})::text end,
        '名字', case when n % 100 = 0 then ${BUSIEST} else ${person(`(n % ${size.people})`)} end,
        case when it.kind <> 'user' then case when n % 100 = 0 then ${LARGEST} else ${first.guild} + n % ${size.guilds} end end,
        it.state, 2, '{"spam": 2}', it.at, it.at, case when it.state <> 'open' then it.at + 100 end,
        case when it.state <> 'open' then ${BUSIEST}::text else '' end, '', case when it.state <> 'open' and it.at < ${now - 25 * DAY_MS} then it.at + 200 end
      from (select n, ${years(now, 'n', size.cases)} as at, (array['message', 'message', 'user', 'guild'])[1 + n % 4] as kind,
        case when n >= ${size.cases - size.openCases} then 'open' when n % 3 = 0 then 'acted' else 'dismissed' end as state
        from ${series(size.cases)}) it
      on conflict do nothing; select setval('report_case_id_seq', 1000 + ${size.cases})`,
  ],
  ['evidence', () => evidenceSql(uuid('id', 2), `${first.channel} + guild_id - ${first.guild}`)],
  [
    'reports',
    () => `
      insert into report (case_id, reporter_id, category, words, evidence_id, at)
      select id, ${person('k * 17 + (id % 1000)')}, 'spam', '广告', ${uuid('id', 2)}, opened_at
      from report_case, generate_series(1, 2) as k where id >= 1000 and emptied_at is null`,
  ],
  [
    'more reports of one case',
    (now) => `
      insert into report (case_id, reporter_id, category, words, evidence_id, at)
      select it.id, ${person('n')}, 'spam', '广告', ${uuid('it.id', 2)}, ${now}
      from (select max(id) as id from report_case) it, ${series(500)} on conflict do nothing`,
  ],
  [
    'revisions',
    (now) => `
      insert into guild_revision (guild_id, user_id, name, icon, description, banner, status, created_at, decided_at, decided_by, before)
      select ${first.guild} + case when it.status = 0 then ${size.revisions} - n else n % ${size.recommended} end, ${anybody}, '新名字' || n, '', '说明', '', it.status,
        ${years(now, 'n', size.revisions)}, case when it.status <> 0 then ${now} end, case when it.status <> 0 then 'operator' end,
        '{"name": "旧名字", "icon": "", "desc": "", "banner": ""}'
      from (select n, case when n >= ${size.revisions - size.waiting} then 0 else 1 + n % 3 end as status from ${series(size.revisions)}) it`,
  ],
  [
    'held messages',
    (now) => `
      insert into held_content (author_id, guild_id, channel_id, conversation, nonce, input, why, status, created_at, decided_at, decided_by)
      select ${anybody}, ${first.guild} + n % ${size.guilds}, ${first.channel} + n % ${size.guilds}, (${first.channel} + n % ${size.guilds})::text, 'bench' || n,
        '{"kind": "text", "content": "广告", "origin": "", "files": [], "file_name": ""}', '[{"kind": "word", "text": "广告"}]', it.status,
        ${now} - n, case when it.status <> 0 then ${now} - n end, case when it.status <> 0 then 'operator' end
      from (select n, case when n >= ${size.held - size.waiting} then 0 else 1 + n % 2 end as status from ${series(size.held)}) it`,
  ],
]

const NAMES = [
  'user-find',
  'user-view',
  'guild-find',
  'guild-view',
  'orders',
  'order',
  'report-list',
  'report-view',
  'message-search',
  'review-list',
  'log',
  'codes',
  'numbers',
  'held',
  'words',
  'products',
  'bills',
]
const ACTS = ['user suspend', 'report decide', 'guild close', 'order refund', 'message delete']
const listOf = (names: readonly string[]): string => `array[${names.map((name) => `'${name}'`)}]`

const others: readonly Part[] = [
  [
    'staff log',
    (now) => `
      insert into staff_log (at, actor, place, kind, name, user_id, target, detail)
      select ${years(now, 'n', size.log)}, (${person('n % 20')})::text, '10.0.0.0/24',
        case when n % 10 = 0 then 'act' when n % 50 = 1 then 'refused' when n % 100 = 3 then 'login' else 'call' end,
        case when n % 10 = 0 then (${listOf(ACTS)})[1 + n / 10 % ${ACTS.length}] when n % 100 = 3 then 'login'
          when n < 500 then 'member-remove' else (${listOf(NAMES)})[1 + n % ${NAMES.length}] end,
        case when n % 3 = 0 then ${anybody} end, case when n % 20 = 0 then (${first.guild} + n % ${size.guilds})::text else '' end,
        '{"reason": "广告"}' from ${series(size.log)}`,
  ],
  [
    'words',
    (now) => `
      insert into word_rule (word, action, places, changed_by, created_at, updated_at)
      select 'bench' || n || ${letter(SURNAMES, 'n')}, case when n % 3 = 0 then 'hold' else 'refuse' end, '{message}', 'operator', ${now}, ${now}
      from ${series(size.words)};
      update word_list set version = version + 1`,
  ],
]
