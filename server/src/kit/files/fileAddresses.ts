/** Signed addresses of files, which nouns add to what they send. `asset/address.ts` makes them. */
export interface FileAddresses {
  /**
   * The address of a stored file with a signature that ends in seven to eight days; the same for a whole day,
   * so that caches know it again. Other texts are unchanged. With a `channelId` it opens the file as long as
   * a message of that channel shows it.
   */
  signed(address: string, channelId?: string): string
  /** A text with such a signature in each address of a file of this site that is in it. */
  signedIn(text: string, channelId: string): string
  /** What the parameters of a request hold a valid signature for this key for; null: they hold none. */
  signatureIn(
    key: string,
    params: Readonly<Record<string, string>>,
  ): { readonly channelId: string | undefined } | null
}
