/** Runs before each file of tests that share a process: time and ids begin as in a process of their own. */
import { restoreClock } from '../../kit/clock.ts'
import { forgetLastId } from '../../kit/ids.ts'

restoreClock()
forgetLastId()
