import { yuan } from '@guildhall/wire/money.ts'
import type { Approval } from '@guildhall/wire/staff/approvals.ts'
import { useText } from '../../kit/i18n.ts'
import { momentLabel } from '../parts/Section.tsx'
import { useFieldWords } from '../products/productParts.tsx'
import { approvalsText } from './approvalsText.ts'

/** Says what exactly an act will do. */
export function useApprovalText(): (of: Pick<Approval, 'kind' | 'facts'>) => string {
  const t = useText(approvalsText)
  const fieldText = useFieldWords()
  return ({ kind, facts: { codes, buff, change, guild } }) => {
    if (codes)
      return [
        t.codes(named(codes), yuan(codes.price), codes.count, yuan(codes.value)),
        t.each(codes.per_user),
        codes.expires_at === 0 ? t.endless : t.validUntil(momentLabel(codes.expires_at)),
        ...(codes.note === '' ? [] : [t.note(codes.note)]),
      ].join(t.between)
    if (buff) return t.buff(withId(buff.to), buff.days, yuan(buff.value))
    if (guild) return t.guild(withId(guild), withId(guild.from), withId(guild.to))
    if (!change) return ''
    const what = fieldText(change.after, change.before).join(t.between)
    const text = kind === 'change' ? t.change(named(change), what) : t.withdrawal(named(change), what)
    return [text, change.valid_from === 0 ? t.now : t.from(momentLabel(change.valid_from))].join(t.between)
  }
}

const withId = ({ id, name }: { readonly id: string; readonly name: string }) => `${name} (${id})`
const named = (it: { readonly product_id: number; readonly product_name: string }) =>
  `${it.product_name} (${it.product_id})`
