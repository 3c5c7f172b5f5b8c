/** The one question for the second factor: opened by a refused call, above whatever is open. */
import { createRoot } from 'react-dom/client'
import { type AskSecondFactor, CallFailure, call } from '../../kit/call.ts'
import { SecondFactorDialog } from './SecondFactorDialog.tsx'

/**
 * Asks for the second factor, and makes the refused call again with it. Closed, the call has failed without
 * words.
 */
export const askSecondFactor: AskSecondFactor = ({ name, extra }, route, input, options) =>
  new Promise((resolve, reject) => {
    const container = document.body.appendChild(document.createElement('div'))
    const root = createRoot(container)
    const close = () => {
      root.unmount()
      container.remove()
    }
    // Of a login by a third party, whose code counts once.
    const proof = typeof extra.proof === 'string' && { second_factor_proof: extra.proof }
    root.render(
      <SecondFactorDialog
        send={(second_factor) => call(route, { ...input, second_factor, ...proof }, options)}
        onAnswer={(answer) => {
          close()
          resolve(answer)
        }}
        onFailure={(error) => {
          close()
          reject(error)
        }}
        onClose={() => {
          close()
          reject(new CallFailure(name, ''))
        }}
      />,
    )
  })
