/** A number or an address, whichever the server sends codes to, and its code, in forms. */
import type { CodeType } from '@guildhall/wire/auth/auth.ts'
import type { CallFailure } from '../../kit/call.ts'
import { useText } from '../../kit/i18n.ts'
import { MobileCodeFields, useMobileCode } from '../../ui/form/MobileCode.tsx'
import type { FormState } from '../../ui/form/useForm.ts'
import { Tabs } from '../Tabs.tsx'
import { MailCodeFields, useMailCode } from './MailCode.tsx'
import { useWay } from './useWay.ts'
import { wayText } from './wayText.ts'

/** The fields of forms about a number or an address. */
export const CONTACT_FIELDS = ['mobile', 'address', 'code'] as const
export type ContactField = (typeof CONTACT_FIELDS)[number]

/** As `useMobileCode` and `useMailCode`; `isMail`: it is the address that counts. */
export function useContact(page: string, ...words: Tail<Parameters<typeof useMobileCode>>) {
  const { ways, way, choose } = useWay(['sms', 'email'])
  const typed = useMobileCode(page, ...words)
  const number = { ...typed, input: { ...typed.number, code: typed.code } }
  const mail = useMailCode(page)
  const isMail = way === 'email'
  return { ways, way, choose, number, mail, isMail, missing: isMail ? mail.missing : number.missing }
}

type Tail<T extends readonly unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never

/** The fields, below the choice where there is one. */
export function ContactFields(props: {
  of: ReturnType<typeof useContact>
  form: FormState<ContactField>
  type: CodeType
  autoComplete?: string
  /** What a new address is called. */
  addressLabel?: string
  onFailure: (failure: CallFailure) => void
}) {
  const t = useText(wayText)
  const { of, form, type, onFailure } = props
  const fields = of.isMail ? (
    <MailCodeFields of={of.mail} form={form} type={type} label={props.addressLabel} onFailure={onFailure} />
  ) : (
    <MobileCodeFields
      of={of.number}
      form={form}
      type={type}
      autoComplete={props.autoComplete}
      onFailure={onFailure}
    />
  )
  if (of.ways.length < 2 || !of.way) return fields
  return (
    <>
      <Tabs
        id="contact"
        label={t.ways}
        tabs={of.ways.map((each) => [each, t[each]])}
        chosen={of.way}
        onChange={(way) => {
          form.show({})
          of.choose(way)
        }}
      />
      <div id="contact-form" role="tabpanel" aria-labelledby={`contact-${of.way}`}>
        {fields}
      </div>
    </>
  )
}
