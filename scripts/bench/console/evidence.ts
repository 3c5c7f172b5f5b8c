/** What the cases of the console's benchmark were made with. */
import type { Evidence } from '@guildhall/wire/report/evidence.ts'

const author = { id: '200000001', username: '赵伟', identify_num: '1234', nickname: '', bot: false }
const message = (n: number) => ({
  id: `00000000-0000-4000-8000-00000000000${n}`,
  kind: 'text',
  content: '一段话 '.repeat(20),
  words: '一段话 '.repeat(20),
  author,
  create_at: n,
  updated_at: 0,
  quote: null,
  attachments: null,
})
const seen: readonly Evidence[] = [
  {
    kind: 'message',
    message: message(0),
    guild: null,
    channel: null,
    chat_code: '',
    before: [1, 2, 3].map(message),
    after: [4, 5, 6].map(message),
  },
  { kind: 'user', person: { ...author, avatar: '', vip_avatar: '' } },
  {
    kind: 'guild',
    guild: { id: '1', owner_id: '2', custom_id: '', name: '公会', icon: '', desc: '', banner: '' },
  },
]

/** Inserts it for all cases that have any. `id`: of the evidence of a case; `channel`: of its message. */
export const evidenceSql = (id: string, channel: string): string => `
  insert into report_evidence (id, case_id, at, digest, seen)
  select ${id}, id, opened_at, 'bench', case kind ${seen
    .map((it) => `when '${it.kind}' then '${JSON.stringify(it)}'`)
    .join(' ')} end::jsonb ||
    case kind when 'message' then jsonb_build_object('channel', jsonb_build_object('id', (${channel})::text, 'name', '频道')) else '{}' end
  from report_case where id >= 1000 and emptied_at is null`
