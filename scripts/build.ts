/** `npm run build`: builds the page, for an installation that serves without building. docs/operations.md. */
import { buildWeb } from './web.ts'

await buildWeb(console.log)
