import encodeQR from 'qr'

/** A text as the rows of a QR code, with the margin that readers need; true is dark. */
export const qrRows = (text: string): readonly (readonly boolean[])[] =>
  encodeQR(text, 'raw', { border: 4, ecc: 'low' })
