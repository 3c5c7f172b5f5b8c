/** `npm start`: builds the page when its sources changed, then serves. */
import { run } from './run.ts'
import { buildWeb } from './web.ts'

await run(buildWeb)
