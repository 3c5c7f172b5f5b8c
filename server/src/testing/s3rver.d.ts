/** What the tests use of an S3-speaking server that comes without types. */
declare module '@20minutes/s3rver' {
  export default class S3rver {
    constructor(options: {
      readonly address: string
      readonly port: number
      readonly silent: boolean
      readonly directory: string
      readonly configureBuckets: readonly { readonly name: string; readonly configs: readonly Buffer[] }[]
    })
    run(): Promise<{ readonly port: number }>
    close(): Promise<void>
  }
}
