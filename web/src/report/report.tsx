/** The one report of the page: a sheet above whatever is open. */
import { createRoot } from 'react-dom/client'
import type { ReportTarget } from '../kit/report.ts'
import { ReportSheet } from './ReportSheet.tsx'

let isOpen = false

export function askReport(target: ReportTarget): void {
  if (isOpen) return
  isOpen = true
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  const close = () => {
    isOpen = false
    root.unmount()
    container.remove()
  }
  root.render(<ReportSheet target={target} onClose={close} />)
}
