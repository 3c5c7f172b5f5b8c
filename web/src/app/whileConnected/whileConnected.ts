/** What follows the page from its first connection on. */
import './activity.ts'
import './deadLoads.ts'
import '../notifications/follow.ts'
import { keepSnapshots } from './snapshot.ts'

keepSnapshots()
