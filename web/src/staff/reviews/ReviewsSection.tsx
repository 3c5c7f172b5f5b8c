import { Route, Routes } from 'react-router'
import { ReviewCase } from './ReviewCase.tsx'
import { ReviewList } from './ReviewList.tsx'

/** /staff/reviews: what waits for a decision, and one case of it. */
export default function ReviewsSection() {
  return (
    <Routes>
      <Route index element={<ReviewList />} />
      <Route path=":kind/:id" element={<ReviewCase />} />
    </Routes>
  )
}
