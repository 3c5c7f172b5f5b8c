import { Navigate } from 'react-router'
import { paths } from '../kit/paths.ts'

/** An address that the landing page had before. */
export default function ToLanding() {
  return <Navigate to={paths.home()} replace />
}
