import { Route, Routes } from 'react-router'
import { BatchPage } from './BatchPage.tsx'
import { CodesList } from './CodesList.tsx'
import { NewBatch } from './NewBatch.tsx'

/** /staff/codes: batches of redeem codes, a new one, and one of them. */
export default function CodesSection() {
  return (
    <Routes>
      <Route index element={<CodesList />} />
      <Route path="new" element={<NewBatch />} />
      <Route path=":id" element={<BatchPage />} />
    </Routes>
  )
}
