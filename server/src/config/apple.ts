/** The variables of subscriptions at Apple. */
import { X509Certificate } from 'node:crypto'
import { ConfigError } from './configError.ts'
import type { Read } from './variables.ts'

export interface AppleConfig {
  readonly bundleId: string
  /** The app's number in the App Store. */
  readonly appId: number
  /** Apple's root certificates, DER. */
  readonly roots: readonly Uint8Array[]
  /** Purchases of testers count, and no others. */
  readonly isSandbox: boolean
}

/** Null: no subscription at Apple is shown. @throws ConfigError naming the variable */
export function readApple(read: Read, { isSandbox }: { readonly isSandbox: boolean }): AppleConfig | null {
  const names = ['APPLE_BUNDLE_ID', 'APPLE_APP_ID', 'APPLE_ROOT_CERTIFICATES'] as const
  const given = names.find((name) => read(name) !== null)
  if (given === undefined) return null
  const need = (name: (typeof names)[number]): string => {
    const value = read(name)
    if (value === null) throw new ConfigError(`${given} is set, but ${name} is missing.`)
    return value
  }
  const appId = need('APPLE_APP_ID')
  if (!/^[1-9]\d{5,14}$/.test(appId)) throw new ConfigError('APPLE_APP_ID must be digits.')
  const roots = need('APPLE_ROOT_CERTIFICATES').split(',').map(certificate)
  return { bundleId: need('APPLE_BUNDLE_ID'), appId: Number(appId), roots, isSandbox }
}

function certificate(value: string): Uint8Array {
  const text = value.trim().replaceAll('\\n', '\n')
  try {
    const form = text.startsWith('-----') ? text : Buffer.from(text, 'base64')
    return new X509Certificate(form).raw
  } catch {
    throw new ConfigError(
      'APPLE_ROOT_CERTIFICATES must be certificates, as PEM or as base64, separated by commas.',
    )
  }
}
