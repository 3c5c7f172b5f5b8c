import { listStaffProducts } from '@guildhall/wire/staff/products.ts'
import { Route, Routes, useParams } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { useRouteQuery } from '../../kit/routeQuery.ts'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { LoadingState } from '../../ui/state/LoadingState.tsx'
import { BackLink } from '../parts/Page.tsx'
import { text } from '../text.ts'
import { ProductList } from './ProductList.tsx'
import { ProductPage } from './ProductPage.tsx'
import { productsText } from './productsText.ts'

/** /staff/products: what is sold and for how much, now and later. */
export default function ProductsSection() {
  return (
    <Routes>
      <Route index element={<Loaded />} />
      <Route path=":product" element={<Loaded />} />
    </Routes>
  )
}

/** All products, or the one of the address. */
function Loaded() {
  const t = useText(text)
  const p = useText(productsText)
  const { product } = useParams()
  const query = useRouteQuery(listStaffProducts, {})
  if (query.failure)
    return <ErrorState page title={t.failed} message={query.failure.message} onRetry={query.refetch} />
  if (!query.answer) return <LoadingState />
  const { items } = query.answer
  if (product === undefined) return <ProductList items={items} />
  const found = items.find(({ id }) => String(id) === product)
  return (
    <>
      <BackLink to="/staff/products" />
      {found ? (
        <ProductPage key={found.id} of={found} onChanged={query.refetch} />
      ) : (
        <ErrorState title={p.unknown} message="" onRetry={query.refetch} />
      )}
    </>
  )
}
