import { Route, Routes } from 'react-router'
import { CaseList } from './CaseList.tsx'
import { CasePage } from './CasePage.tsx'

/** /staff/reports: what members reported, and one case of it. */
export default function ReportsSection() {
  return (
    <Routes>
      <Route index element={<CaseList />} />
      <Route path=":id" element={<CasePage />} />
    </Routes>
  )
}
