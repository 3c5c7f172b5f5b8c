import { use } from 'react'
import { here } from '../native/environment.ts'
import { DeskContext } from '../ui/page/desk.ts'
import { DeskRows } from './DeskRows.tsx'
import { NotificationRows } from './NotificationRows.tsx'

/** What this device remembers. A shell has notifications of its own. */
export default function DeviceRows() {
  const desk = use(DeskContext)
  return (
    <>
      {desk && <DeskRows />}
      {!here().hasShell && <NotificationRows />}
    </>
  )
}
