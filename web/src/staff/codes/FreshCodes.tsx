import { useEffect, useState } from 'react'
import { saveFile } from '../../kit/browser/saveFile.ts'
import { useText } from '../../kit/i18n.ts'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { toast } from '../../ui/overlay/Toast.tsx'
import styles from '../parts/parts.module.css'
import { codesText } from './codesText.ts'

/** A batch with its codes, which are in no other place. */
export interface Made {
  readonly id: string
  readonly codes: readonly string[]
}

/**
 * The codes of a new batch, this once. The export is asked for twice, since it is done once; who leaves
 * without it is warned, also by the browser. One dialog is open at a time, so that Back leads from each to
 * the warning.
 */
export function FreshCodes({ made, onLeave }: { made: Made; onLeave: () => void }) {
  const t = useText(codesText)
  const [asked, setAsked] = useState<'nothing' | 'export' | 'leave'>('nothing')
  useEffect(() => {
    const stop = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', stop)
    return () => removeEventListener('beforeunload', stop)
  }, [])
  const exportThem = () => {
    saveFile(`codes-${made.id}.csv`, [t.column, ...made.codes, ''].join('\r\n'), 'text/csv')
    toast(t.exported)
    onLeave()
  }
  const backToThem = () => setAsked('nothing')
  if (asked === 'export')
    return (
      <Dialog
        key="export"
        title={t.exportAsk}
        message={t.exportWhy}
        confirm={t.export}
        onConfirm={exportThem}
        onClose={backToThem}
      />
    )
  if (asked === 'leave')
    return (
      <Dialog
        key="leave"
        title={t.leaveAsk}
        message={t.leaveWhy}
        confirm={t.leave}
        cancel={t.keep}
        danger
        onConfirm={onLeave}
        onClose={backToThem}
      />
    )
  return (
    <Dialog
      key="codes"
      title={t.fresh}
      message={t.freshWhy(made.codes.length)}
      confirm={t.export}
      cancel={t.close}
      onConfirm={() => setAsked('export')}
      onClose={() => setAsked('leave')}
    >
      <label className={styles.option}>
        <span>{t.list}</span>
        <textarea className={styles.codes} readOnly rows={8} value={made.codes.join('\n')} />
      </label>
    </Dialog>
  )
}
