/**
 * Subscriptions at Apple, by its signed messages (App Store Server Notifications, version 2). Apple's library
 * verifies the chain of certificates and each signature, and asks Apple whether a certificate was revoked.
 */
import {
  AutoRenewStatus,
  Environment,
  SignedDataVerifier,
  VerificationException,
  VerificationStatus,
} from '@apple/app-store-server-library'
import type { Millis } from '@guildhall/wire/unit.ts'
import type { AppleConfig } from '../../../config/apple.ts'
import { BadNotification } from '../payProvider.ts'

/** What Apple says of a subscription. */
export interface AppleFact {
  /** Apple's number of it (`originalTransactionId`), the same for ever. */
  readonly subscription: string
  /** What the native app named the person by when they bought it (`appAccountToken`). */
  readonly account: string
  /** The product's name in App Store Connect. */
  readonly product: string
  /** Until when it is paid. */
  readonly lastsUntil: Millis
  /** Whether Apple will charge it again. */
  readonly renews: boolean
  /** When Apple signed this: of two messages the newer one counts. */
  readonly notifiedAt: Millis
}

export interface AppleSubscriptions {
  /**
   * What a message says; null: it is genuine, and about no subscription of a person.
   * @throws BadNotification, and Error when Apple cannot be asked now: it is to be sent again
   */
  read(signedPayload: string): Promise<AppleFact | null>
}

/**
 * `asksApple`: whether revoked certificates are looked for; only tests do without. @throws Error for a
 * certificate that is none
 */
export function openAppleSubscriptions(
  config: AppleConfig,
  { asksApple = true }: { readonly asksApple?: boolean } = {},
): AppleSubscriptions {
  const environment = config.isSandbox ? Environment.SANDBOX : Environment.PRODUCTION
  const verifier = new SignedDataVerifier(
    config.roots.map((it) => Buffer.from(it)),
    asksApple,
    environment,
    config.bundleId,
    config.appId,
  )
  const verified = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      if (!(error instanceof VerificationException)) throw error
      if (error.status === VerificationStatus.RETRYABLE_VERIFICATION_FAILURE)
        throw new Error('Apple cannot be asked for its certificates now')
      throw new BadNotification('signature', 'the signature is not Apple’s, or not for this app')
    }
  }
  return {
    async read(signedPayload) {
      const { data, signedDate } = await verified(verifier.verifyAndDecodeNotification(signedPayload))
      if (!data?.signedTransactionInfo || !data.signedRenewalInfo || signedDate === undefined) return null
      const [bought, renewal] = await verified(
        Promise.all([
          verifier.verifyAndDecodeTransaction(data.signedTransactionInfo),
          verifier.verifyAndDecodeRenewalInfo(data.signedRenewalInfo),
        ]),
      )
      const { originalTransactionId, appAccountToken, productId, expiresDate, revocationDate } = bought
      if (!originalTransactionId || !appAccountToken || !productId || expiresDate === undefined) return null
      return {
        subscription: originalTransactionId,
        account: appAccountToken,
        product: productId,
        notifiedAt: signedDate,
        lastsUntil: revocationDate ?? expiresDate,
        renews: renewal.autoRenewStatus === AutoRenewStatus.ON && revocationDate === undefined,
      }
    },
  }
}
