/**
 * Serves what is there, without installing or building anything: for production. docs/operations.md
 * "Production".
 */
import { OperatorError } from '../server/src/kit/operatorError.ts'
import { run } from './run.ts'
import { isWebBuilt } from './web.ts'

await run(async () => {
  if (!isWebBuilt())
    throw new OperatorError('The page is not built: run npm run build where it is installed.')
})
