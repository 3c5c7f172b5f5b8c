import { texts } from '@guildhall/wire/locale.ts'
import { useText } from '../../kit/i18n.ts'

const text = texts({ 'zh-CN': { member: 'BUFF 会员' }, en: { member: 'BUFF member' } })

/** The crown behind the name of a member of BUFF. Every room loads it, so that base.css draws it. */
export function BuffMark() {
  return <span className="buff" role="img" title={useText(text).member} />
}
