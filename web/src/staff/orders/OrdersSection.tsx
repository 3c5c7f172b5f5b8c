import { Route, Routes } from 'react-router'
import { Bills } from './Bills.tsx'
import { OrderList } from './OrderList.tsx'
import { OrderPage } from './OrderPage.tsx'

/** /staff/orders: orders, one of them, and where bills and the ledger differ. */
export default function OrdersSection() {
  return (
    <Routes>
      <Route index element={<OrderList />} />
      <Route path="bills" element={<Bills />} />
      <Route path=":order" element={<OrderPage />} />
    </Routes>
  )
}
