/** X.509 certificates of the sandbox. Loaded only where one is made. */
import 'reflect-metadata'
import { clock } from '@guildhall/server/kit/clock.ts'
import { ids } from '@guildhall/server/kit/ids.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { KeyUsageFlags, KeyUsagesExtension, PemConverter, X509CertificateGenerator } from '@peculiar/x509'

const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2_048,
  publicExponent: Uint8Array.of(1, 0, 1),
}
const LIVES_MS = 5 * 365 * DAY_MS

/** Keys are PEM: PKCS#8 and SPKI. */
export interface KeyPair {
  readonly privateKey: string
  readonly publicKey: string
}

export interface Certified extends KeyPair {
  /** 40 hexadecimal digits in upper case, as WeChat writes it. */
  readonly serial: string
  /** PEM. */
  readonly certificate: string
  readonly from: number
  readonly until: number
}

export async function makeKeyPair(): Promise<KeyPair> {
  return exported(await crypto.subtle.generateKey(RSA, true, ['sign', 'verify']))
}

/** A self-signed certificate. `name`: of the subject, for example `CN=Tenpay.com`. */
export async function makeCertified(name: string): Promise<Certified> {
  const keys = await crypto.subtle.generateKey(RSA, true, ['sign', 'verify'])
  const serial = `4${ids.uuid().replaceAll('-', '')}${ids.digits(7)}`.toUpperCase()
  // A certificate writes whole seconds.
  const from = Math.floor(clock.now() / 1_000) * 1_000
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serial,
    name,
    keys,
    signingAlgorithm: RSA,
    notBefore: new Date(from),
    notAfter: new Date(from + LIVES_MS),
    extensions: [new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true)],
  })
  return {
    ...(await exported(keys)),
    serial,
    certificate: certificate.toString('pem'),
    from,
    until: from + LIVES_MS,
  }
}

type Exportable = Parameters<typeof crypto.subtle.exportKey>[1]

async function exported(keys: {
  readonly privateKey: Exportable
  readonly publicKey: Exportable
}): Promise<KeyPair> {
  const [secret, open] = await Promise.all([
    crypto.subtle.exportKey('pkcs8', keys.privateKey),
    crypto.subtle.exportKey('spki', keys.publicKey),
  ])
  return {
    privateKey: PemConverter.encode(secret, PemConverter.PrivateKeyTag),
    publicKey: PemConverter.encode(open, PemConverter.PublicKeyTag),
  }
}
