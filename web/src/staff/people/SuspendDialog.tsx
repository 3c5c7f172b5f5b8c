import type { UserId } from '@guildhall/wire/id.ts'
import { suspendUser } from '@guildhall/wire/staff/staff.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import { ActDialog } from '../parts/ActDialog.tsx'
import type { End } from '../parts/Acts.tsx'
import { Option } from '../parts/Option.tsx'
import styles from '../parts/parts.module.css'
import { peopleText } from './peopleText.ts'

const DAYS = [1, 3, 7, 30, 90, 365]

/** Asks for how long somebody is suspended, and why. */
export function SuspendDialog({ userId, ...end }: { userId: UserId } & End) {
  const t = useText(peopleText)
  const [length, setLength] = useState('7')
  const [moment, setMoment] = useState('')
  const isMoment = length === 'moment'
  // Local time of the browser, as the field shows it.
  const ends = isMoment ? new Date(moment).getTime() : Date.now() + Number(length) * DAY_MS
  const until = length === '0' ? 0 : Number.isNaN(ends) ? 1 : ends
  return (
    <ActDialog
      {...end}
      route={suspendUser}
      input={{ user_id: userId, until }}
      title={t.suspend}
      message={t.suspendMessage}
      problem={isMoment && until <= Date.now() ? t.endWrong : ''}
      danger
    >
      <label className={styles.option}>
        <span>{t.howLong}</span>
        <select value={length} onChange={({ currentTarget: { value } }) => setLength(value)}>
          {DAYS.map((days) => (
            <option key={days} value={days}>
              {t.forDays(days)}
            </option>
          ))}
          <option value="moment">{t.untilTime}</option>
          <option value="0">{t.forGood}</option>
        </select>
      </label>
      {isMoment && <Option label={t.endTime} type="datetime-local" value={moment} onChange={setMoment} />}
    </ActDialog>
  )
}
